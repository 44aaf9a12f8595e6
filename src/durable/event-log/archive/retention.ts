import { defaultAccountSettings, type Retention } from '../../../contract/account-settings.ts';
import { dayMs, hourMs } from '../../../contract/times.ts';
import { openDatabase } from '../../../database/open-database.ts';
import { accountQuery } from '../../account-query.ts';
import type { LogState } from '../log-state.ts';
import type { Pressure } from './fullness.ts';
import type { SegmentKind } from './segments.ts';

/** What may go: rows of this kind from before this time. */
export interface Due {
  kind: SegmentKind;
  before: number;
  /** No event that a webhook has yet to get. */
  keepsUndelivered: boolean;
}

/** What may go of activity and notes: rows from before `before`, of conversations that have some from before `from`. */
export interface PastsDue {
  kind: 'pasts';
  from: number;
  before: number;
}

/** Resolved conversations that nothing has happened to since `before`. */
export interface ConversationsDue {
  kind: 'conversations';
  before: number;
}

/**
 * The time of the oldest row of each kind, in milliseconds since 1970; null: there is none. `pasts`: activity and notes;
 * `conversations`: resolved ones that may be archived.
 */
export type OldestRows = Record<SegmentKind | 'pasts' | 'conversations', number | null>;

/** Activity and notes of a conversation are archived in spans of at least this length, since each is a separate write. */
const pastSpanMs = 30 * dayMs;

/** Since when events are kept; milliseconds since 1970. */
export const eventsSince = (retention: Retention, now: number) => now - retention.eventsDays * dayMs;

/** Since when messages are. */
export const messagesSince = (retention: Retention, now: number) => addMonths(now, -retention.messagesMonths);

/**
 * Resolved conversations that were touched since this time stay. It leaves time for their own activity and notes to be
 * archived first.
 */
export const conversationsSince = (retention: Retention, now: number) =>
  messagesSince(retention, now) - pastSpanMs;

/** In UTC. A day that the month does not have is its last one. */
function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

/**
 * When rows are to be archived because of their age, by the oldest of each kind; null: there are none. It is a day later than
 * they may be archived. So a segment has a day's rows at least, and a quiet account writes one segment a day at most.
 */
export function dueByAge(retention: Retention, oldest: OldestRows): number | null {
  const events = oldest.events === null ? [] : [oldest.events + retention.eventsDays * dayMs];
  const messages = oldest.messages === null ? [] : [addMonths(oldest.messages, retention.messagesMonths)];
  const pasts = [oldest.pasts, oldest.conversations].flatMap((at) =>
    at === null ? [] : [addMonths(at + pastSpanMs, retention.messagesMonths)],
  );
  const due = [...events, ...messages, ...pasts];
  return due.length === 0 ? null : Math.min(...due) + dayMs;
}

/**
 * What may be archived, in this order. A log that is too large archives the oldest rows, events before messages. An event that
 * a webhook has not received yet stays. Rows younger than an hour always stay, since their facts may be reported again.
 */
export function dueForArchive(
  retention: Retention,
  now: number,
  pressure: Pressure,
): (Due | PastsDue | ConversationsDue)[] {
  const pastsBefore = (before: number, spanMs: number): PastsDue => ({
    kind: 'pasts',
    from: before - spanMs,
    before,
  });
  const byTime = [
    { kind: 'events' as const, before: eventsSince(retention, now), keepsUndelivered: false },
    { kind: 'messages' as const, before: messagesSince(retention, now), keepsUndelivered: false },
    pastsBefore(messagesSince(retention, now), pastSpanMs),
    { kind: 'conversations' as const, before: conversationsSince(retention, now) },
  ];
  const oldConversations: ConversationsDue = { kind: 'conversations', before: now - pastSpanMs };
  const oldEvents = (ageMs: number): Due => ({ kind: 'events', before: now - ageMs, keepsUndelivered: true });
  const oldMessages = (ageMs: number): Due => ({
    kind: 'messages',
    before: now - ageMs,
    keepsUndelivered: false,
  });
  const bySize = {
    none: [],
    full: [oldEvents(dayMs), pastsBefore(now - pastSpanMs, pastSpanMs), oldConversations, oldMessages(dayMs)],
    // What frees most first.
    pressing: [
      ...[oldEvents(dayMs), oldMessages(dayMs), oldEvents(hourMs), oldMessages(hourMs)],
      pastsBefore(now - dayMs, dayMs),
      oldConversations,
    ],
  }[pressure];
  return [...byTime, ...bySize];
}

interface Known {
  /** Of the account's configuration in D1; it rises with each change. */
  revision: number;
  retention: Retention;
}

const name = 'retention';

/** How long the account wants things kept: D1 owns it, the log keeps what it has read. */
export class RetentionSetting {
  readonly #state: LogState;
  readonly #d1: D1Database;
  readonly #accountId: string;
  #known: Known;

  constructor(state: LogState, d1: D1Database, accountId: string) {
    this.#state = state;
    this.#d1 = d1;
    this.#accountId = accountId;
    this.#known = state.get(name) ?? { revision: 0, retention: defaultAccountSettings.retention };
  }

  get value(): Retention {
    return this.#known.retention;
  }

  /** Takes over what D1 has now. Nothing found changes nothing: it is no reason to delete sooner. */
  async refresh(): Promise<void> {
    const [account] = await accountQuery(openDatabase(this.#d1), this.#accountId);
    if (account === undefined || account.revision < this.#known.revision) return;
    const retention = account.settings?.retention ?? defaultAccountSettings.retention;
    this.#known = { revision: account.revision, retention };
    this.#state.put(name, this.#known);
  }
}
