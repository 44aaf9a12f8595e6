import type { AccountSettings } from '../../../contract/account-settings.ts';
import type { MessageErrorCode } from '../../../contract/messages/message.ts';
import { aliasAddress } from '../../../contract/messages/recipient.ts';
import { optOutMeaning } from '../../../contract/texts/opt-out-words.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import type { KnownAlias, NewsTaken, NumberNews, NumberNote } from '../../hand-over/number-news.ts';
import { log, logFault } from '../../log.ts';
import { newMessageId } from '../../new-ids.ts';
import { Tables } from '../../storage/rows.ts';
import type { PeopleFirst } from '../admission/send-as.ts';
import type { Configuration } from '../configuration/snapshot.ts';
import type { Aliases } from '../recipients/aliases.ts';
import type { Choosing } from '../senders/choosing.ts';
import { canSend, type Sender } from '../senders/sender.ts';
import { type Senders, takeReport } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { cancelled, type Failure, type Failures, numberDeleted, recordOf, tooLate } from './failures.ts';
import type { HandOver } from './hand-over.ts';
import type { Placement } from './placement.ts';
import type { Moves } from './rerouting.ts';

interface NewsParts {
  senders: Senders;
  choosing: Choosing;
  peopleFirst: PeopleFirst;
  aliases: Aliases;
  backlog: Backlog;
  handOver: HandOver;
  placement: Placement;
  moves: Moves;
  failures: Failures;
  parkedNotes: ParkedNotes;
  logOutbox: LogOutbox;
  messageLifetimeMs: number;
  change: <Result>(work: () => Result) => Result;
}

/** Numbers, the last written to first, of which it is looked what waits there for somebody whose alias is known now. */
const writtenMax = 50;

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
    const { senders, handOver, change, parkedNotes } = this.#parts;
    const store = (some: readonly Numbered[]) =>
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
      store(notes);
    } catch (error) {
      logFault('notes.not_stored', error, { numberId });
      for (const numbered of notes) {
        try {
          store([numbered]);
        } catch (fault) {
          change(() => {
            const sender = senders.of(numberId);
            parkedNotes.add(numbered.note, fault, now);
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

  /** What was written under an alias counts for the phone number. Whoever opted out long ago gets no confirmation. */
  knowAliases(known: readonly KnownAlias[], now: number): void {
    const { change, senders, handOver, choosing, peopleFirst, aliases, backlog } = this.#parts;
    const { conversations, optOuts } = choosing;
    change(() => {
      const written = new Set<string>();
      for (const { lid, phoneNumber, otherDigits = [] } of known) {
        const alias = aliasAddress(lid);
        if (phoneNumber === null) {
          const before = aliases.phoneOf(lid);
          aliases.forget(lid);
          if (before === null) continue;
          conversations.copy(before, alias);
          optOuts.copy(before, alias);
          peopleFirst.copy(before, alias);
          continue;
        }
        aliases.note(lid, phoneNumber);
        conversations.move(alias, phoneNumber);
        optOuts.move(alias, phoneNumber);
        peopleFirst.copy(alias, phoneNumber);
        peopleFirst.forget(alias);
        // Their former phone number may be somebody else's by now: what was said under it holds there too.
        for (const digits of otherDigits) {
          conversations.copy(digits, phoneNumber);
          optOuts.copy(digits, phoneNumber);
          peopleFirst.copy(digits, phoneNumber);
        }
        for (const { numberId, at } of conversations.lastWritten(phoneNumber, writtenMax)) {
          backlog.noteWritten(numberId, phoneNumber, at, now);
          written.add(numberId);
        }
      }
      for (const numberId of written) {
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
    const wroteAt = choosing.conversations.of(message.to).get(numberId)?.wroteAt ?? null;
    // Who has written since has a chat with the number.
    const isNewChat = message.isNewChat && wroteAt === null;
    if (isNewChat) backlog.noteNotBegun(sender, message.to);
    let failure: Failure | null = null;
    if (reason === 'not_sendable') failure = notSendable(errorMessage, errorCode);
    else if (reason === 'cancelled') failure = cancelled;
    else if (reason === 'expired' || message.expiresAt <= now) failure = tooLate(sender);
    const isDeleted = reason === 'deleted' || !configuration.senders.has(numberId);
    // A number that can send keeps what its day or a restriction holds, unless another may send that now.
    const wanted = canSend(sender) && !isDeleted ? 'ready' : 'any';
    if (failure === null && moves.move(message, sender, wanted, configuration, now)) return;
    if (failure !== null || isDeleted) {
      failures.fail(message, sender, failure ?? numberDeleted, now);
      return;
    }
    if (backlog.find(numberId, message.messageId) !== null) return;
    backlog.add(sender, { ...message, isNewChat }, wroteAt, now);
  }

  /** Somebody wrote to the number: they talk with it now, and may have opted out or in again. */
  #hearInbound(
    { numberId }: Sender,
    { from, at, text }: Inbound,
    settings: AccountSettings,
    now: number,
  ): void {
    const { aliases, backlog, choosing } = this.#parts;
    const { conversations, optOuts } = choosing;
    const heardAt = Math.min(at, now);
    const person = aliases.personOf(from);
    conversations.noteInbound(person, numberId, heardAt);
    // What waits for them may have been accepted under either address.
    for (const address of new Set([from, person])) backlog.noteWritten(numberId, address, heardAt, now);
    const meaning = text === null ? null : optOutMeaning(text, settings.optOut);
    if (text !== null && meaning !== null && optOuts.note(person, meaning, heardAt, numberId, text))
      this.#confirmOptOut(person, numberId, settings, now);
  }

  /** Tells somebody who has opted out that it was understood, where the account wants that. */
  #confirmOptOut(to: string, numberId: string, { optOut, stickyHours }: AccountSettings, now: number): void {
    // Settings that were stored before there were confirmations say nothing of them.
    const text = optOut.confirmation ?? null;
    if (text === null) return;
    const { choosing, placement, logOutbox, messageLifetimeMs } = this.#parts;
    const message: AcceptedMessage = {
      messageId: newMessageId(),
      to,
      chatType: 'personal',
      content: { type: 'text', text },
      senderSource: 'pool',
      isNewChat: false,
      // From another number it would be a message of a stranger.
      mayMove: false,
      queuedAt: now,
      expiresAt: now + messageLifetimeMs,
      isQuiet: true,
    };
    const place = { numberId, rotated: false, conversations: choosing.conversations.of(to), stickyHours };
    const sender = placement.put(message, place, now);
    logOutbox.add([{ kind: 'message.queued', message: recordOf(message, sender) }]);
  }
}

const notSendable = (
  errorMessage = 'The network did not accept the message.',
  errorCode: MessageErrorCode = 'not_sendable',
): Failure => ({ errorMessage, errorCode });

const keptMax = 1_000;

/** Notes that could not be stored as what they are: kept for a person to look at, the newest ones. */
export class ParkedNotes extends Tables {
  add(note: NumberNote, error: unknown, now: number): void {
    this.sql.exec(
      'INSERT INTO parked_notes (at, note, error) VALUES (?, ?, ?)',
      now,
      JSON.stringify(note),
      String(error),
    );
    this.sql.exec('DELETE FROM parked_notes WHERE id <= (SELECT max(id) FROM parked_notes) - ?', keptMax);
    log('note.parked', { kind: note.kind });
  }

  /** They were erased: the notes that name this phone number, or this alias as `<digits>@lid`. */
  forget(address: string): void {
    this.sql.exec('DELETE FROM parked_notes WHERE instr(note, ?) > 0', `"${address}"`);
  }
}
