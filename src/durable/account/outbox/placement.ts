import { defaultAccountSettings } from '../../../contract/account-settings.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import type { SendCounts } from '../admission/send-counts.ts';
import type { Configuration } from '../configuration/snapshot.ts';
import type { Conversation, Conversations } from '../recipients/conversations.ts';
import type { CurrentPool } from '../senders/current-pool.ts';
import type { Sender } from '../senders/sender.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import type { HandOver } from './hand-over.ts';

interface PlacementParts {
  senders: Senders;
  backlog: Backlog;
  currentPool: CurrentPool;
  conversations: Conversations;
  counts: SendCounts;
  handOver: HandOver;
}

/** Where a message goes, and what is known of its recipient. */
export interface Place {
  numberId: string;
  /** The number was next in the rotation. */
  rotated: boolean;
  conversations: ReadonlyMap<string, Conversation>;
  stickyHours: number;
}

/** Puts messages into the part of a number: new ones, and those that move. All inside one transaction. */
export class Placement {
  readonly #parts: PlacementParts;
  /** Numbers that were given messages in the present transaction. */
  readonly #given = new Set<string>();

  constructor(parts: PlacementParts) {
    this.#parts = parts;
  }

  /** Gives the message to the number. {@link finish} is to be called in the same transaction. */
  put(message: AcceptedMessage, place: Place, now: number): Sender {
    const { senders, backlog, counts } = this.#parts;
    const { numberId } = place;
    const sender = senders.of(numberId);
    counts.add(numberId, message.queuedAt);
    if ((message.sendAt ?? 0) > now || message.fileUrl !== undefined) {
      backlog.addLater(numberId, message);
      return sender;
    }
    this.#give(sender, message, place, now);
    return sender;
  }

  /** Gives the number what is to be done to one of its messages. {@link finish} is to be called in the same transaction. */
  putAction(action: AcceptedMessage, numberId: string, now: number): void {
    const { senders, backlog } = this.#parts;
    backlog.add(senders.of(numberId), action, null, now);
    this.#given.add(numberId);
  }

  /** The `sendAt` of messages has come: gives them to their numbers. {@link finish} is to be called in the same transaction. */
  release(now: number, limit: number, stickyHours: number): number {
    const { senders, backlog, conversations: all } = this.#parts;
    const due = backlog.takeLater(now, limit);
    for (const { numberId, message } of due) {
      const conversations = all.of(message.to);
      const isNewChat = message.chatType === 'personal' && !conversations.has(numberId);
      const place = { numberId, rotated: false, conversations, stickyHours };
      this.#give(senders.of(numberId), { ...message, isNewChat }, place, now);
    }
    return due.length;
  }

  #give(sender: Sender, message: AcceptedMessage, place: Place, now: number): void {
    const { backlog, currentPool, conversations } = this.#parts;
    const { numberId, rotated, stickyHours } = place;
    backlog.add(sender, message, place.conversations.get(numberId)?.wroteAt ?? null, now);
    currentPool.give(sender, rotated, now);
    conversations.noteOutbound(message.to, numberId, now, stickyHours, place.conversations);
    this.#given.add(numberId);
  }

  /** Saves what was given and counted, and makes batches of it where there is room. */
  finish(now: number): void {
    const { senders, counts, handOver } = this.#parts;
    counts.save();
    for (const numberId of this.#given) {
      const sender = senders.of(numberId);
      handOver.form(sender, now);
      senders.save(sender);
    }
    this.#given.clear();
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#given.clear();
  }
}

/** Messages that one transaction gives to their numbers. */
const sliceMax = 64;

interface ScheduleParts {
  backlog: Backlog;
  placement: Placement;
  change: <Result>(work: () => Result) => Result;
  configuration: () => Configuration | null;
}

/** Gives messages with a `sendAt` to their numbers when it has come. What their numbers cannot send moves as ever. */
export class Schedule {
  readonly #parts: ScheduleParts;
  /** Undefined: to be read. */
  #nextAt: number | null | undefined;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** A message was accepted that is to leave then. */
  note(sendAt: number): void {
    if (this.#nextAt !== undefined) this.#nextAt = Math.min(this.#nextAt ?? sendAt, sendAt);
  }

  dueAt(): number | null {
    if (this.#nextAt === undefined) this.#nextAt = this.#parts.backlog.nextSendAt();
    return this.#nextAt;
  }

  async run(now: number): Promise<void> {
    const { placement, change, configuration } = this.#parts;
    const { stickyHours } = configuration()?.settings ?? defaultAccountSettings;
    for (;;) {
      const released = change(() => {
        const count = placement.release(now, sliceMax, stickyHours);
        placement.finish(now);
        // Before the commit has set the alarm.
        this.reload();
        return count;
      });
      if (released < sliceMax) return;
      // Others have their turn.
      await scheduler.wait(0);
    }
  }

  /** After a change that this does not know of, and after a transaction that was rolled back. */
  reload(): void {
    this.#nextAt = undefined;
  }
}
