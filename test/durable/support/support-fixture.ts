import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { defaultAccountSettings, type SupportSettings } from '../../../src/contract/account-settings.ts';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { BusinessHours } from '../../../src/contract/support/business-hours.ts';
import type { SlaPolicy } from '../../../src/contract/support/sla-policy.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import { reviewName } from '../../../src/durable/event-log/support/support-snapshot.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { eventsOf, queued, received, record } from '../event-log/event-log-fixture.ts';

export const phoneNumber = '628123456789';
export const iso = (at: number) => new Date(at).toISOString();

interface Configured {
  policies?: (Partial<SlaPolicy> & { createdAt?: number })[];
  hours?: Partial<BusinessHours>[];
  support?: Partial<SupportSettings>;
}

const policyOf = (more: Partial<SlaPolicy>): SlaPolicy => ({
  name: 'Standard',
  firstResponseSeconds: null,
  nextResponseSeconds: null,
  resolutionSeconds: null,
  businessHoursOnly: true,
  numberIds: 'all',
  labels: [],
  ...more,
});

/** Monday to Friday, nine to five. */
export const office: BusinessHours = {
  name: 'Office',
  timeZone: 'Asia/Jakarta',
  spans: (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((day) => ({
    day,
    from: '09:00',
    to: '17:00',
  })),
  holidays: [],
  numberIds: 'all',
};

/** An account of its own that answers people on one number. */
export async function supportDesk(configured: Configured = {}) {
  const accountId = newUuid();
  const numberId = newUuid();
  const userId = newUuid();
  const log = env.EVENT_LOG.getByName(accountId);
  let revision = 0;

  /** As people configure it: in D1, and then the log is told. */
  async function configure({ policies = [], hours = [], support = {} }: Configured) {
    revision += 1;
    const settings = {
      ...defaultAccountSettings,
      support: { ...defaultAccountSettings.support, ...support },
    };
    const insert = (table: string, definition: object, createdAt: number) =>
      env.DB.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`).bind(
        newUuid(),
        accountId,
        JSON.stringify(definition),
        createdAt,
      );
    await env.DB.batch([
      env.DB.prepare(
        `INSERT OR REPLACE INTO accounts (id, name, plan, created_at, settings, revision) VALUES (?, 'A', 'free', 0, ?, ?)`,
      ).bind(accountId, JSON.stringify(settings), revision),
      env.DB.prepare('DELETE FROM sla_policies WHERE account_id = ?').bind(accountId),
      env.DB.prepare('DELETE FROM business_hours WHERE account_id = ?').bind(accountId),
      ...policies.map(({ createdAt = 0, ...policy }) => insert('sla_policies', policyOf(policy), createdAt)),
      ...hours.map((more) => insert('business_hours', { ...office, ...more }, 0)),
    ]);
    await log.refresh();
    await ring();
  }

  /** Rings what is due now, until no review is under way. The platform may be ringing by itself at this moment. */
  async function ring() {
    // No `until`: it would move the clock that the test has set.
    for (let isReviewing = true; isReviewing; ) {
      const hasRung = await runDurableObjectAlarm(log);
      isReviewing = await runInDurableObject(log, async (object, { storage }) => {
        if (!hasRung) await object.alarm();
        return new LogState(storage.sql).get(reviewName) !== null;
      });
    }
  }

  const wrote = (at: number, text = 'hello', more: Partial<InboundMessage> = {}): Fact =>
    received({ at: iso(at), content: { type: 'text', text }, ...more }, numberId);
  const answered = (at: number): Fact =>
    queued(record({ numberId, queuedAt: at, to: phoneNumber, origin: { kind: 'person', userId } }));
  const conversation = async () => {
    const found = await log.conversationOf({ numberId, phoneNumber });
    if (found === null) throw new Error('there is no such conversation');
    return found;
  };
  const change = async (changes: Parameters<typeof log.changeConversation>[1]) =>
    log.changeConversation((await conversation()).conversationId, changes, { kind: 'person', userId });
  const report = async () =>
    (await log.supportReport({ since: 0, until: Date.now() + 1, by: 'number' })).total;
  const alerts = async () =>
    (await log.alerts(50, null))
      .filter(({ kind }) => kind === 'support.response_late')
      .map(({ detail, endedAt }) => ({ target: detail.target, isOver: endedAt !== null }));
  /** What `sla` was said to be, one after the other. */
  const slaTold = async () =>
    (await eventsOf(log)).flatMap(({ envelope }) =>
      envelope.event === 'conversation.updated' && envelope.data.changes.sla !== undefined
        ? [envelope.data.changes.sla]
        : [],
    );
  await configure(configured);
  return {
    accountId,
    numberId,
    userId,
    log,
    configure,
    ring,
    wrote,
    answered,
    conversation,
    change,
    report,
    alerts,
    slaTold,
  };
}
