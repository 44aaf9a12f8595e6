import { noCampaignCounts as none } from '../../openapi/examples/event-examples.ts';
import { example } from '../../openapi/examples/example-values.ts';

/** A draft, as it is answered. */
export const campaignExample = {
  campaignId: example.campaignId,
  name: 'Spring collection',
  status: 'draft',
  reason: null,
  message: { text: 'Hello {{name|there}}, the spring collection is here.' },
  variants: [],
  winner: null,
  winningVariant: null,
  audience: { label: 'wholesale', coldContacts: false },
  numberIds: 'pool',
  startAt: null,
  window: {
    days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    from: '09:00',
    to: '17:00',
    timeZone: 'recipient',
  },
  timeZone: 'Asia/Jakarta',
  ratePerHour: 200,
  stopAfterFailures: 20,
  whenQuotaEnds: 'wait',
  replyDays: 7,
  counts: none,
  variantCounts: [{ sent: 0, replied: 0 }],
  waitingFor: null,
  createdAt: '2026-01-31T09:00:00.000Z',
  startedAt: null,
  endedAt: null,
};

/** As it is when it begins: its recipients are still to be written down. */
export const startedExample = {
  ...campaignExample,
  status: 'running',
  waitingFor: { reason: 'audience', until: null },
  startedAt: '2026-01-31T09:30:00.000Z',
};

export const runningExample = {
  ...campaignExample,
  status: 'running',
  counts: {
    ...none,
    recipients: 1200,
    pending: 720,
    queued: 10,
    sent: 452,
    delivered: 440,
    read: 301,
    skipped: 18,
  },
  variantCounts: [{ sent: 452, replied: 0 }],
  startedAt: '2026-01-31T09:30:00.000Z',
};

const { campaignId, name, status, reason, counts, createdAt } = runningExample;
export const summaryExample = { campaignId, name, status, reason, counts, createdAt };
