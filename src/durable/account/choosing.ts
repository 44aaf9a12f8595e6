import type { AccountSettings } from '../../contract/account-settings.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { SendRequest } from './admission-types.ts';
import type { Books } from './books.ts';
import { Conversations } from './conversations.ts';
import { OptOuts, optOutMeaning } from './opt-outs.ts';
import { RecipientChecks } from './recipient-checks.ts';
import { filteredRefusal } from './recipient-filters.ts';
import { Rotation, type Turn } from './rotation.ts';
import type { SendCounts } from './send-counts.ts';
import { type Candidate, chooseSender, fitnessOf, type SenderChoice } from './sender-choice.ts';
import type { InboundNote } from './sender-report.ts';
import { Senders } from './senders.ts';
import type { Configuration, KeySnapshot } from './snapshot.ts';

type Recipient = Pick<SendRequest, 'to' | 'chatType'>;

export interface Judgement {
  /** Why the recipient or the lack of a sender refuses the send, the first reason first. */
  refusals: Refusal[];
  choice: (SenderChoice & { ok: true }) | null;
  candidates: Candidate[];
  /** The number that should look the recipient up first; null when no look-up is wanted, or none can be made. */
  lookUpBy: string | null;
}

/** Who may be written to, and by which number: decided without waiting, from what the account itself has stored. */
export class Choosing {
  readonly senders: Senders;
  readonly conversations: Conversations;
  readonly optOuts: OptOuts;
  readonly checks: RecipientChecks;
  readonly #counts: SendCounts;
  readonly #books: Books;
  #rotation: Rotation;

  constructor(sql: SqlStorage, counts: SendCounts, books: Books) {
    this.senders = new Senders(sql, books);
    this.conversations = new Conversations(sql);
    this.optOuts = new OptOuts(sql);
    this.checks = new RecipientChecks(sql);
    this.#counts = counts;
    this.#books = books;
    this.#rotation = rotationOf(books);
  }

  /** Changes nothing. */
  judge(
    request: Recipient & Pick<SendRequest, 'senderHint'>,
    configuration: Configuration,
    key: Pick<KeySnapshot, 'pinnedNumberId' | 'onPinFailure'>,
    now: number,
  ): Judgement {
    const { to, chatType, senderHint } = request;
    const candidates = this.#candidates(request, configuration, now);
    const { stickyHours } = configuration.settings;
    const choice = chooseSender({ key, senderHint, candidates, stickyHours, now });
    const chosen = choice.ok ? choice : null;
    const refusals: Refusal[] = [];
    if (chatType === 'personal') {
      if (this.optOuts.has(to)) refusals.push(filteredRefusal('optOut'));
      for (const filter of configuration.accountFilter.allRefusing(to))
        refusals.push(filteredRefusal(filter));
    }
    if (!choice.ok) refusals.push(choice, ...alsoAgainst(choice, key, candidates));
    const isChecked = this.#isChecked(request, configuration, chosen?.numberId ?? null, candidates);
    const onNetwork = isChecked ? this.checks.known(to, now) : null;
    if (onNetwork === false) {
      const message = 'The recipient is not registered on the network.';
      refusals.push(refuse('RECIPIENT_NOT_ON_NETWORK', message, { details: [{ path: 'to', message }] }));
    }
    const lookUpBy =
      chosen !== null && isChecked && onNetwork === null && refusals.length === 0
        ? this.#lookUpBy(configuration, chosen.numberId, candidates, now)
        : null;
    return { refusals, choice: chosen, candidates, lookUpBy };
  }

  /** The account's numbers as the choice for this recipient sees them. */
  #candidates({ to, chatType }: Recipient, configuration: Configuration, now: number): Candidate[] {
    const isPersonal = chatType === 'personal';
    const talks = this.conversations.of(to);
    return configuration.senders.map(({ numberId, inPool }) => {
      const sender = this.senders.now(numberId, now);
      const talk = talks.get(numberId);
      return {
        ...sender,
        numberId,
        inPool,
        position: this.#rotation.position(numberId, sender.weight),
        filter: isPersonal ? (configuration.senderFilters.get(numberId)?.refusedBy(to) ?? null) : null,
        isNewChat: isPersonal && !talk,
        lastTalkAt: talk?.lastAt ?? null,
        wroteAt: talk?.wroteAt ?? null,
      };
    });
  }

  /** Only the first message to a recipient is worth a question. */
  #isChecked(
    { chatType }: Recipient,
    { accountFilter, senderFilters }: Configuration,
    numberId: string | null,
    candidates: readonly Candidate[],
  ): boolean {
    if (chatType !== 'personal' || candidates.some(({ lastTalkAt }) => lastTalkAt !== null)) return false;
    return accountFilter.checkOnNetwork || senderFilters.get(numberId ?? '')?.checkOnNetwork === true;
  }

  /** The chosen number, or another that has questions left today. */
  #lookUpBy(
    { settings }: Configuration,
    chosenId: string,
    candidates: readonly Candidate[],
    now: number,
  ): string | null {
    const chosenFirst = [...candidates].sort(
      (a, b) => Number(b.numberId === chosenId) - Number(a.numberId === chosenId),
    );
    const asker = chosenFirst.find(
      (candidate) =>
        fitnessOf({ ...candidate, filter: null, isNewChat: false }, now).fitness !== 'unfit' &&
        this.#counts.checksOf(candidate.numberId, now) < settings.networkChecksPerDay,
    );
    return asker?.numberId ?? null;
  }

  /** The turn that the chosen number takes for the message. */
  turn({ choice, candidates }: Judgement): Turn | null {
    if (choice === null) return null;
    const { weight = 0 } = candidates.find(({ numberId }) => numberId === choice.numberId) ?? {};
    return this.#rotation.turnOf(choice.numberId, weight, choice.rotated);
  }

  /** The number is given a message: others are next. Its book is to be saved in the same transaction. */
  give(numberId: string, messageId: string, turn: Turn): void {
    this.#rotation.take(numberId, turn);
    this.senders.give(numberId, messageId);
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#rotation = rotationOf(this.#books);
    this.senders.reload();
  }

  /** People wrote to a number: they talk with it now, and may have opted out or in again. Repeats change nothing. */
  hear({ numberId, items }: InboundNote, words: AccountSettings['optOut'], now: number): void {
    for (const { from, at, text } of items) {
      const heardAt = Math.min(at, now);
      this.conversations.noteInbound(from, numberId, heardAt);
      const meaning = text ? optOutMeaning(text, words) : null;
      if (text && meaning !== null) this.optOuts.note(from, meaning, heardAt, numberId, text);
    }
  }
}

function rotationOf(books: Books): Rotation {
  return new Rotation(new Map([...books.all()].map(([numberId, { turn }]) => [numberId, turn] as const)));
}

/** A pinned number that is not there may filter the recipient as well. */
function alsoAgainst(
  { code }: Refusal,
  { pinnedNumberId }: Pick<KeySnapshot, 'pinnedNumberId'>,
  candidates: readonly Candidate[],
): Refusal[] {
  const pin = candidates.find(({ numberId }) => numberId === pinnedNumberId);
  return code === 'SENDER_UNAVAILABLE' && pin?.filter ? [filteredRefusal(pin.filter, pin.numberId)] : [];
}
