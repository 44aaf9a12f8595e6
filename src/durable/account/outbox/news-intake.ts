import type { AccountSettings } from '../../../contract/account-settings.ts';
import type { MessageErrorCode } from '../../../contract/messages/message.ts';
import { optOutMeaning } from '../../../contract/texts/opt-out-words.ts';
import type { HeardEarlier } from '../../event-log/contacts/alias-history.ts';
import type { NewsTaken, NumberNews, NumberNote } from '../../hand-over/number-news.ts';
import { logFault } from '../../log.ts';
import type { Configuration } from '../configuration/snapshot.ts';
import type { Confirmations } from '../recipients/confirmations.ts';
import type { Choosing } from '../senders/choosing.ts';
import { canSend } from '../senders/message-kind.ts';
import type { Sender } from '../senders/sender.ts';
import { type Senders, takeReport } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { cancelled, type Failure, type Failures, numberDeleted, tooLate } from './failures.ts';
import type { HandOver } from './hand-over.ts';
import type { Moves } from './moves.ts';
import type { ParkedNotes } from './parked-notes.ts';
import type { Placement } from './placement.ts';

export interface NewsParts {
  senders: Senders;
  choosing: Choosing;
  backlog: Backlog;
  handOver: HandOver;
  placement: Placement;
  moves: Moves;
  failures: Failures;
  parked: ParkedNotes;
  confirmations: Confirmations;
  change: <Result>(work: () => Result) => Result;
}

type Returned = Extract<NumberNote, { kind: 'returned' }>;
type Inbound = Extract<NumberNote, { kind: 'inbound' }>;
type Numbered = NumberNews['notes'][number];

/** Takes what numbers tell: how they are, what they give back, who wrote to them. */
export class NewsIntake {
  readonly #parts: NewsParts;

  constructor(parts: NewsParts) {
    this.#parts = parts;
  }

  /** All of it in one transaction. A note that cannot be stored is parked, so that it holds up none behind it. */
  hear({ numberId, report, notes }: NumberNews, configuration: Configuration, now: number): NewsTaken {
    const { senders, handOver, change, parked } = this.#parts;
    const take = (some: readonly Numbered[]) =>
      change(() => {
        const sender = senders.of(numberId);
        takeReport(sender, report, now);
        handOver.noteTaken(sender, report.takenUpTo);
        this.#takeNotes(sender, some, configuration, now);
        handOver.form(sender, now);
        senders.save(sender);
        this.#parts.placement.finish(now);
      });
    try {
      take(notes);
    } catch (error) {
      logFault('notes.not_stored', error, { numberId });
      for (const numbered of notes) {
        try {
          take([numbered]);
        } catch (fault) {
          change(() => {
            const sender = senders.of(numberId);
            parked.add(numbered.note, fault, now);
            sender.heardUpTo = Math.max(sender.heardUpTo, numbered.seq);
            senders.save(sender);
          });
        }
      }
    }
    return {
      takenUpTo: senders.of(numberId).heardUpTo,
      rerouteAfterMs: configuration.settings.rerouteAfterMs,
    };
  }

  /** Whom it is too late to tell that they will hear no more gets no confirmation. */
  hearEarlier(
    phoneNumber: string,
    heard: readonly HeardEarlier[],
    settings: AccountSettings,
    now: number,
  ): void {
    const { change, senders, handOver } = this.#parts;
    change(() => {
      for (const { numberId, at, text } of heard) {
        this.#noteWritten(numberId, { from: phoneNumber, at, text }, settings, now);
      }
      for (const numberId of new Set(heard.map((one) => one.numberId))) {
        const sender = senders.of(numberId);
        // What waited for them may be an answer now.
        handOver.form(sender, now);
        senders.save(sender);
      }
    });
  }

  #takeNotes(sender: Sender, notes: readonly Numbered[], configuration: Configuration, now: number): void {
    for (const { seq, note } of notes) {
      if (seq <= sender.heardUpTo) continue;
      // A newer number says it to an older account: it waits until the deploy is over.
      if (note.kind !== 'returned' && note.kind !== 'inbound') return;
      if (note.kind === 'returned') this.#takeBack(sender, note, configuration, now);
      else this.#hearInbound(sender, note, configuration.settings, now);
      sender.heardUpTo = seq;
    }
  }

  /** A message that never left goes to another number, waits for this one, or fails. */
  #takeBack(
    sender: Sender,
    { message, reason, errorMessage, errorCode }: Returned,
    configuration: Configuration,
    now: number,
  ): void {
    const { moves, failures, backlog, choosing } = this.#parts;
    const { numberId } = sender;
    let failure: Failure | null = null;
    if (reason === 'not_sendable') failure = notSendable(errorMessage, errorCode);
    else if (reason === 'cancelled') failure = cancelled;
    else if (reason === 'expired' || message.expiresAt <= now) failure = tooLate(sender);
    // A number that can send keeps what its day or a restriction holds, unless another may send that now.
    const wanted = canSend(sender) ? 'ready' : 'any';
    if (failure === null && moves.move(message, sender, wanted, configuration, now)) return;
    const isDeleted = reason === 'deleted' || !configuration.senders.has(numberId);
    if (failure !== null || isDeleted) {
      failures.fail(message, sender, failure ?? numberDeleted, now);
      return;
    }
    if (backlog.find(numberId, message.messageId) !== null) return;
    const wroteAt = choosing.conversations.of(message.to).get(numberId)?.wroteAt ?? null;
    // Who has written since has a chat with the number.
    const held = { ...message, isNewChat: message.isNewChat && wroteAt === null };
    backlog.add(sender, held, wroteAt, now);
  }

  /** Somebody wrote to the number: they talk with it now, and may have opted out or in again. */
  #hearInbound({ numberId }: Sender, inbound: Inbound, settings: AccountSettings, now: number): void {
    const isOutNow = this.#noteWritten(numberId, inbound, settings, now);
    if (isOutNow) this.#parts.confirmations.send(inbound.from, numberId, settings, now);
  }

  /** True: they have opted out now. */
  #noteWritten(
    numberId: string,
    { from, at, text }: Pick<Inbound, 'from' | 'at' | 'text'>,
    settings: AccountSettings,
    now: number,
  ): boolean {
    const { choosing, backlog } = this.#parts;
    const { conversations, optOuts } = choosing;
    const heardAt = Math.min(at, now);
    conversations.noteInbound(from, numberId, heardAt);
    backlog.noteWritten(numberId, from, heardAt, now);
    const meaning = text === null ? null : optOutMeaning(text, settings.optOut);
    return text !== null && meaning !== null && optOuts.note(from, meaning, heardAt, numberId, text);
  }
}

const notSendable = (
  errorMessage = 'The network did not accept the message.',
  errorCode: MessageErrorCode = 'not_sendable',
): Failure => ({ errorMessage, errorCode });
