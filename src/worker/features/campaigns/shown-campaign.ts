import { isoTime } from '../../../contract/times.ts';
import type { CampaignPreview } from '../../../durable/campaign/preview.ts';
import type { CampaignView } from '../../../durable/campaign/progress.ts';
import { aliasesFrom, isUnmade, shownState } from '../../../durable/campaign/recipient.ts';
import type { Recipient } from '../../../durable/campaign/recipient-rows.ts';

/** A campaign as the API shows it. */
export function campaignRecord(view: CampaignView) {
  const { definition, hold } = view;
  const [message, ...variants] = definition.texts.map(({ body }) => JSON.parse(body));
  return {
    campaignId: view.campaignId,
    name: definition.name,
    status: view.status,
    reason: view.reason,
    message,
    variants,
    winner: definition.winner,
    winningVariant: view.winner,
    audience: { ...definition.audience, coldContacts: definition.coldContacts },
    numberIds: definition.numberIds ?? ('pool' as const),
    startAt: isoTime(definition.startAt),
    window: definition.window,
    timeZone: definition.timeZone,
    ratePerHour: definition.ratePerHour,
    stopAfterFailures: definition.stopAfterFailures,
    whenQuotaEnds: definition.whenQuotaEnds,
    replyDays: definition.replyDays,
    counts: view.counts,
    variantCounts: view.variants,
    waitingFor: hold && { reason: hold.reason, until: isoTime(hold.until) },
    createdAt: isoTime(view.createdAt),
    startedAt: isoTime(view.startedAt),
    endedAt: isoTime(view.endedAt),
  };
}

/** Of whoever was erased there is no phone number any more, nor a contact; of whoever is known by an alias there is none yet. */
export function recipientRecord(recipient: Recipient) {
  const { id, contactId, values, state, reason, errorMessage, variant, numberId, messageId, attempt } =
    recipient;
  return {
    phoneNumber: id > 0 && id < aliasesFrom ? String(id) : null,
    contactId,
    name: values.name ?? null,
    status: shownState(state),
    reason,
    errorMessage,
    variant,
    numberId,
    messageId,
    attempts: isUnmade(state) ? attempt - 1 : attempt,
    sentAt: isoTime(recipient.sentAt),
    deliveredAt: isoTime(recipient.deliveredAt),
    readAt: isoTime(recipient.readAt),
    failedAt: isoTime(recipient.failedAt),
    repliedAt: isoTime(recipient.repliedAt),
    optedOutAt: isoTime(recipient.optedOutAt),
  };
}

export function previewRecord({ quota, startsAt, finishesAt, ...preview }: CampaignPreview) {
  return {
    ...preview,
    quota: { left: quota.left, resetAt: isoTime(quota.resetAt) },
    startsAt: isoTime(startsAt),
    finishesAt: isoTime(finishesAt),
  };
}

const columns = [
  'phoneNumber',
  'name',
  'status',
  'reason',
  'errorMessage',
  'variant',
  'numberId',
  'messageId',
  'attempts',
  'sentAt',
  'deliveredAt',
  'readAt',
  'failedAt',
  'repliedAt',
  'optedOutAt',
  'contactId',
] as const satisfies readonly (keyof ReturnType<typeof recipientRecord>)[];

export const csvHead = `${columns.join(',')}\r\n`;

/** One line of the file (RFC 4180). What a spreadsheet would take for a formula is text. */
export function csvLine(recipient: Recipient): string {
  const record = recipientRecord(recipient);
  return `${columns.map((column) => csvCell(record[column])).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
