import type { CampaignReason } from '../../../contract/campaigns/campaign.ts';
import type { EventData, EventEnvelope, EventName } from '../../../contract/events.ts';
import { aliasAddress } from '../../../contract/messages/recipient.ts';
import { refusalWeight } from '../../../contract/messages/send-refusals.ts';
import { optOutMeaning, optOutTextOf } from '../../../contract/texts/opt-out-words.ts';
import { isoTime } from '../../../contract/times.ts';
import type { CampaignPorts, MessageOutcome } from '../ports.ts';
import type { Progress } from '../progress.ts';
import { hasLeft, mayStep, recipientIdOf } from '../recipient.ts';
import type { Recipient, RecipientRows } from '../recipient-rows.ts';
import type { CampaignStore } from '../store.ts';
import { afterOutcome, type GuardOutcome } from './guard.ts';

/** The events that tell what became of messages, and who answered. */
export const outcomeEvents = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.received',
] as const satisfies readonly EventName[];

/** Events of one read. */
const eventsMax = 500;
/** Recipients who are asked about by themselves in one go. */
const reconciledMax = 200;
/** Whose failure says nothing about the campaign, or its numbers. */
const blameless = new Set(['recipient_opted_out', 'cancelled', 'number_deleted']);

/** The network lets the number begin no new chats. */
const isRestriction = (errorCode: string | null): boolean =>
  errorCode !== null && refusalWeight(errorCode.replace(/^network_/, '')) === 'restriction';

export interface OutcomesParts {
  store: CampaignStore;
  rows: RecipientRows;
  ports: Pick<CampaignPorts, 'events' | 'messages' | 'stopWords'>;
  /** The campaign is to stop, by itself. Called inside a transaction. */
  stop: (progress: Progress, reason: CampaignReason) => void;
}

/**
 * The outcomes of the campaign's messages, read from the account's events. The position of the read and the outcomes are stored
 * in one transaction, so none counts twice and none is missed.
 */
export class Outcomes {
  readonly #parts: OutcomesParts;

  constructor(parts: OutcomesParts) {
    this.#parts = parts;
  }

  /** True: there is more to read. */
  async read(): Promise<boolean> {
    const { store, ports } = this.#parts;
    const { cursor } = store.known.progress;
    const page = await ports.events(cursor ?? 'now', eventsMax);
    if (!page.ok) {
      // What it would go on from is gone: everybody who waits is asked about by name.
      await this.#reconcile();
      return true;
    }
    const events = page.data.map(
      ({ event, data, timestamp }) => ({ event, data, timestamp }) as EventEnvelope,
    );
    const stopWords = events.some(mayOptOut) ? await ports.stopWords() : [];
    if (events.length === 0 && page.nextCursor === cursor) return false;
    store.change((progress) => {
      if (progress.cursor !== cursor) return;
      for (const event of events) this.#noteEvents(event, progress, stopWords);
      progress.cursor = page.nextCursor;
    });
    return page.hasMore;
  }

  #noteEvents(
    { event, data, timestamp }: EventEnvelope,
    progress: Progress,
    stopWords: readonly string[],
  ): void {
    const { rows } = this.#parts;
    if (event === 'message.sent') {
      this.#step(ofMessage(rows, data.to ?? '', data.messageId), 'sent', data, progress);
    } else if (event === 'message.delivered' || event === 'message.read') {
      const to = event === 'message.read' ? 'read' : 'delivered';
      this.#step(ofReceipt(rows, data), to, data, progress);
    } else if (event === 'message.failed') {
      const { errorMessage, errorCode = null } = data;
      const failure = { errorMessage, errorCode, failedAt: Date.parse(timestamp) };
      this.#fail(ofMessage(rows, data.to ?? '', data.messageId), failure, progress);
    } else if (event === 'message.received') {
      this.#hear(data, Date.parse(timestamp), progress, stopWords);
    }
  }

  /** A message has come so far; what is known already changes nothing. */
  #step(
    recipient: Recipient | null,
    to: 'sent' | 'delivered' | 'read',
    times: { numberId: string; sentAt?: string; deliveredAt?: string; readAt?: string },
    progress: Progress,
  ): void {
    if (recipient === null || !mayStep(recipient.state, to)) return;
    const left = !hasLeft(recipient.state);
    const at = (time: string | undefined) => (time === undefined ? null : Date.parse(time));
    const deliveredAt = at(times.deliveredAt) ?? recipient.deliveredAt;
    const readAt = at(times.readAt) ?? recipient.readAt;
    this.#parts.rows.change(progress.tally, recipient, {
      state: to,
      numberId: times.numberId,
      sentAt: at(times.sentAt) ?? recipient.sentAt ?? deliveredAt ?? readAt,
      deliveredAt,
      readAt,
    });
    if (left) this.#watch(progress, 'sent');
  }

  #fail(
    recipient: Recipient | null,
    { errorMessage, errorCode, failedAt }: Pick<MessageOutcome, 'errorMessage' | 'errorCode' | 'failedAt'>,
    progress: Progress,
  ): void {
    if (recipient === null) return;
    if (errorCode === 'cancelled' && recipient.state === 'queued') {
      this.#takeBack(recipient, progress);
      return;
    }
    if (!mayStep(recipient.state, 'failed')) return;
    this.#parts.rows.change(progress.tally, recipient, {
      state: 'failed',
      reason: errorCode,
      errorMessage,
      failedAt,
    });
    if (errorCode !== null && blameless.has(errorCode)) return;
    this.#watch(progress, isRestriction(errorCode) ? 'network_restricted' : 'failed');
  }

  /** It never left: its recipient waits for another one, or gets none. */
  #takeBack(recipient: Recipient, progress: Progress): void {
    const isOver = progress.status === 'cancelled';
    this.#parts.rows.change(progress.tally, recipient, {
      state: isOver ? 'cancelled' : 'pending',
      attempt: recipient.attempt + 1,
      messageId: null,
      numberId: null,
    });
  }

  /** Somebody has written: perhaps as an answer to the campaign, or to opt out. */
  #hear(
    { from, senderLid, numberId, chatType, messageType, text }: EventData<'message.received'>,
    at: number,
    progress: Progress,
    stopWords: readonly string[],
  ): void {
    if (chatType !== 'personal') return;
    const { rows, store } = this.#parts;
    const recipient =
      (from === senderLid ? null : whoHasIt(rows, from)) ??
      (senderLid === undefined ? null : rows.at(aliasAddress(senderLid)));
    if (recipient === null || recipient.sentAt === null || !hasLeft(recipient.state)) return;
    const isInTime = at - recipient.sentAt <= store.known.definition.replyDays * 86_400_000;
    if (recipient.numberId !== numberId || !isInTime) return;
    const isStop = messageType === 'text' && isStopWord(text, stopWords);
    const repliedAt = recipient.repliedAt ?? at;
    const optedOutAt = recipient.optedOutAt ?? (isStop ? at : null);
    if (repliedAt === recipient.repliedAt && optedOutAt === recipient.optedOutAt) return;
    if (recipient.repliedAt === null) {
      progress.tally.replied += 1;
      const ofText = progress.tally.variants[recipient.variant ?? -1];
      if (ofText !== undefined) ofText.replied += 1;
    }
    const optsOut = optedOutAt !== recipient.optedOutAt;
    if (optsOut) progress.tally.optedOut += 1;
    rows.save({ ...recipient, repliedAt, optedOutAt });
    if (optsOut) this.#watch(progress, 'opted_out');
  }

  #watch(progress: Progress, outcome: GuardOutcome): void {
    const { stopAfterFailures } = this.#parts.store.known.definition;
    const { record, stop } = afterOutcome(progress.guard, outcome, stopAfterFailures);
    progress.guard = record;
    if (stop !== null) this.#parts.stop(progress, stop);
  }

  /** Asks for everybody whose message is under way, and reads on from now. */
  async #reconcile(): Promise<void> {
    const { store, rows, ports } = this.#parts;
    const page = await ports.events('now', 1);
    if (!page.ok) throw new Error(`the events cannot be read: ${page.code}`);
    for (const state of ['queued', 'sent', 'delivered'] as const) {
      let after = Number.MIN_SAFE_INTEGER;
      for (;;) {
        const slice = rows.inState(state, after, reconciledMax);
        const last = slice.at(-1);
        if (last === undefined) break;
        after = last.id;
        const ids = slice.flatMap(({ messageId }) => messageId ?? []);
        const outcomes = new Map((await ports.messages(ids)).map((one) => [one.messageId, one]));
        store.change((progress) => {
          for (const { id, messageId } of slice) {
            const outcome = outcomes.get(messageId ?? '');
            if (outcome !== undefined) this.#catchUp(rows.find(id), outcome, progress);
          }
        });
      }
    }
    store.change((progress) => {
      progress.cursor = page.nextCursor;
    });
  }

  #catchUp(recipient: Recipient | null, outcome: MessageOutcome, progress: Progress): void {
    if (recipient === null || recipient.messageId !== outcome.messageId || outcome.status === 'queued')
      return;
    if (outcome.status === 'failed') {
      this.#fail(recipient, outcome, progress);
      return;
    }
    const { numberId, sentAt, deliveredAt, readAt } = outcome;
    const times = {
      numberId,
      ...(sentAt !== null && { sentAt: isoTime(sentAt) }),
      ...(deliveredAt !== null && { deliveredAt: isoTime(deliveredAt) }),
      ...(readAt !== null && { readAt: isoTime(readAt) }),
    };
    this.#step(recipient, outcome.status, times, progress);
  }
}

const mayOptOut = ({ event, data }: EventEnvelope): boolean =>
  event === 'message.received' && optOutTextOf(data.text) !== null;

const isStopWord = (text: string, stopWords: readonly string[]): boolean =>
  optOutMeaning(text, { stopWords, startWords: [] }) === 'stop';

/** Whose message it is; null: none of the campaign. */
function ofMessage(rows: RecipientRows, to: string, messageId: string): Recipient | null {
  const recipient = rows.at(to);
  if (recipient?.messageId === messageId) return recipient;
  return peopleAt(rows, to).find((one) => one.messageId === messageId) ?? rows.ofAlias(messageId);
}

/** Who has written: of several who are one person, the one whose message has left. */
const whoHasIt = (rows: RecipientRows, from: string): Recipient | null =>
  peopleAt(rows, from).find(({ state }) => hasLeft(state)) ?? null;

/** All recipients who are the person with these digits. */
function peopleAt(rows: RecipientRows, digits: string): Recipient[] {
  const id = recipientIdOf(digits);
  return id === null ? [] : rows.ofPerson(id);
}

/** The chat of a receipt is the one that was written to, whatever device it comes from. */
const ofReceipt = (rows: RecipientRows, { chat, messageId }: { chat: string; messageId: string }) =>
  ofMessage(rows, chat.split('@')[0] ?? '', messageId);
