import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';
import { aliasAddress, aliasIn, aliasRefusal } from '../../../contract/messages/recipient.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import type { SendCounts } from '../admission/send-counts.ts';
import { fileRefusal, type SendRequest } from '../admission/send-request.ts';
import { onlyNumberOf } from '../configuration/key-ring.ts';
import type { Configuration, KeyPin } from '../configuration/snapshot.ts';
import type { Aliases } from '../recipients/aliases.ts';
import { type Conversation, Conversations } from '../recipients/conversations.ts';
import { OptOuts } from '../recipients/opt-outs.ts';
import { RecipientChecks } from '../recipients/recipient-checks.ts';
import { filteredRefusal } from '../recipients/recipient-filters.ts';
import { mayHaveTwoForms } from '../recipients/two-forms.ts';
import { type Candidate, fitnessOf } from './candidates.ts';
import { CurrentPool } from './current-pool.ts';
import { type ChoiceInput, type Chosen, chatOf, chooseSender, fromPool } from './sender-choice.ts';
import type { Senders } from './senders.ts';

export interface Judgement {
  /** Why the recipient or the lack of a sender refuses the send, the first reason first. */
  refusals: Refusal[];
  choice: Chosen | null;
  /** The number that should look the recipient up first; null when no look-up is wanted, or none can be made. */
  lookUpBy: string | null;
  conversations: ReadonlyMap<string, Conversation>;
}

type Recipient = Pick<SendRequest, 'to' | 'chatType' | 'dialled'>;
/** The only numbers that may send it; left out: the pool. */
type Among = { among?: readonly string[] | undefined };
type Key = KeyPin & { id?: string | null };

const nothingToQuote = invalidField('quotedMessageId', 'No such message.');

/** A key that leaves everything to the account. */
const anyNumber: Key = { pinnedNumberId: null, onPinFailure: 'strict' };

/** Who may be written to, and by which number: decided without waiting, from what the account itself has stored. */
export class Choosing {
  readonly conversations: Conversations;
  readonly optOuts: OptOuts;
  readonly checks: RecipientChecks;
  readonly currentPool: CurrentPool;
  readonly #aliases: Aliases;
  readonly #senders: Senders;
  readonly #counts: SendCounts;

  constructor(sql: SqlStorage, aliases: Aliases, senders: Senders, counts: SendCounts) {
    this.conversations = new Conversations(sql, aliases);
    this.optOuts = new OptOuts(sql, aliases, Date.now());
    this.checks = new RecipientChecks(sql);
    this.currentPool = new CurrentPool(senders);
    this.#aliases = aliases;
    this.#senders = senders;
    this.#counts = counts;
  }

  /** The send under the digits by which the network knows the recipient; those that it named go along. */
  addressed<Send extends Recipient>(send: Send): Send {
    const address = send.chatType === 'personal' ? this.checks.addressOf(send.to) : null;
    return address === null ? send : { ...send, to: address, dialled: send.to };
  }

  /** All digits of somebody, those of the network first; the alias alone of whom no more is known. */
  addressesOf(address: string): string[] {
    return this.checks.digitsOf(this.#aliases.personOf(address));
  }

  /** Why nothing can be sent to a phone number that is one of the account's own, under any of their digits; null: it is not. */
  ownNumberRefusal(phoneNumber: string, configuration: Configuration): Refusal | null {
    const isOwn = this.addressesOf(phoneNumber).some((digits) => this.#isOwn(digits, configuration));
    return isOwn ? filteredRefusal('ownNumber') : null;
  }

  /** Changes nothing. The request is one that was {@link addressed}. */
  judge(
    request: Recipient & Pick<SendRequest, 'senderHint' | 'quotedNumberId' | 'fileOf'> & Among,
    configuration: Configuration,
    key: Key,
    now: number,
  ): Judgement {
    const { to, chatType, quotedNumberId } = request;
    const input = this.#input(request, configuration, key, now);
    const choice = chooseSender(input);
    const refusals: Refusal[] = [];
    // The recipient is shown what is quoted: a key sees no more than it may read.
    const onlyNumberId = onlyNumberOf(key);
    if (onlyNumberId !== null && quotedNumberId !== undefined && quotedNumberId !== onlyNumberId) {
      refusals.push(nothingToQuote);
    }
    const foreignFile = fileRefusal(request, key);
    if (foreignFile !== null) refusals.push(foreignFile);
    if (chatType === 'personal') {
      if (this.#isAlias(to, input.conversations)) refusals.push(aliasRefusal);
      const { addresses } = input;
      const isOwn = addresses.some((address) => this.#isOwn(address, configuration));
      if (isOwn) refusals.push(filteredRefusal('ownNumber'));
      const hasOptedOut = addresses.some((address) => this.optOuts.has(address));
      if (hasOptedOut) refusals.push(filteredRefusal('optOut'));
      const refusing = configuration.accountFilter.refusing(addresses);
      refusals.push(...refusing.map((filter) => filteredRefusal(filter)));
    }
    if (!choice.ok) refusals.push(choice, ...alsoAgainst(choice, input));
    const chosen = choice.ok ? choice : null;
    const isChecked = isCheckedFirst(input, configuration, chosen);
    const isAsked = isChecked || isAddressAsked(input);
    const onNetwork = isAsked ? this.checks.known(to, now) : null;
    if (isChecked && onNetwork === false) refusals.push(notOnNetwork);
    const isUnknown = isAsked && onNetwork === null && refusals.length === 0;
    const lookUpBy = isUnknown && chosen !== null ? this.#lookUpBy(input, configuration, chosen) : null;
    return { refusals, choice: chosen, lookUpBy, conversations: input.conversations };
  }

  /**
   * Another number for a message that a number cannot send; null if there is none. `wanted`: 'ready' allows only a number that
   * can send now; 'any' also allows one that has to wait, as for a message that is sent now.
   */
  another(
    { to, dialled, chatType, among }: AcceptedMessage,
    except: string,
    wanted: 'ready' | 'any',
    configuration: Configuration,
    now: number,
  ): Chosen | null {
    const recipient = { to, dialled, chatType, senderHint: null, among };
    const input = this.#input(recipient, configuration, anyNumber, now, except);
    const ready = fromPool(input, 'ready', 'pool');
    if (ready !== null || wanted === 'ready') return ready;
    return fromPool(input, 'waiting', 'pool');
  }

  /** The account's numbers in the order of the configuration, and what speaks against each for a recipient. */
  allFor(request: Recipient, configuration: Configuration, now: number) {
    const input = this.#input({ ...request, senderHint: null }, configuration, anyNumber, now);
    return [...configuration.senders.keys()].flatMap((numberId) => {
      const candidate = input.pool.find(numberId);
      if (candidate === null) return [];
      const fitness = fitnessOf(candidate, chatOf(input, numberId));
      return [{ candidate, ...fitness }];
    });
  }

  /** Somebody has written under an alias with these digits, and nobody from a phone number with them. */
  #isAlias(to: string, conversations: ReadonlyMap<string, Conversation>): boolean {
    const hasWritten = (known: ReadonlyMap<string, Conversation>) =>
      [...known.values()].some(({ wroteAt }) => wroteAt !== null);
    return (
      aliasIn(to) === null &&
      !hasWritten(conversations) &&
      hasWritten(this.conversations.of(aliasAddress(to)))
    );
  }

  /** It is linked to a number of the account, or is the alias of one that is. One that was deleted is nobody's. */
  #isOwn(address: string, { senders }: Configuration): boolean {
    return this.#senders.linkedTo(this.#aliases.personOf(address), senders) !== null;
  }

  #input(
    { to, dialled = to, chatType, senderHint, among }: Recipient & Pick<SendRequest, 'senderHint'> & Among,
    configuration: Configuration,
    key: Key,
    now: number,
    except: string | null = null,
  ): ChoiceInput {
    return {
      key,
      senderHint,
      to,
      addresses: chatType === 'personal' ? [...new Set([...this.addressesOf(to), dialled])] : [],
      chatType,
      conversations: this.conversations.of(to),
      pool: this.currentPool.pool(configuration, now),
      stickyHours: configuration.settings.stickyHours,
      except,
      among: among ?? null,
      now,
    };
  }

  /** The chosen number, or another that has questions left today. */
  #lookUpBy(input: ChoiceInput, { settings }: Configuration, { numberId }: Chosen): string | null {
    const { pool, now } = input;
    const anybody = { addresses: [], kind: 'ongoing' } as const;
    const canAsk = (candidate: Candidate | null) =>
      candidate !== null &&
      fitnessOf(candidate, anybody).fitness !== 'unfit' &&
      this.#counts.checksOf(candidate.numberId, now) < settings.networkChecksPerDay;
    if (canAsk(pool.find(numberId))) return numberId;
    return [...pool.all].find(canAsk)?.numberId ?? null;
  }
}

/** Only the first message to a recipient is worth a question. */
function isCheckedFirst(
  { to, chatType, conversations, pool }: ChoiceInput,
  { accountFilter, senders }: Configuration,
  chosen: Chosen | null,
): boolean {
  // Whoever has an alias is there.
  if (chatType !== 'personal' || aliasIn(to) !== null) return false;
  const isWanted =
    accountFilter.checkOnNetwork || senders.get(chosen?.numberId ?? '')?.filters.checkOnNetwork === true;
  return isWanted && ![...conversations.keys()].some((numberId) => pool.find(numberId) !== null);
}

/** The network has to say by which digits it knows them, unless they have written under these. */
const isAddressAsked = ({ to, chatType, conversations }: ChoiceInput): boolean =>
  chatType === 'personal' &&
  mayHaveTwoForms(to) &&
  [...conversations.values()].every(({ wroteAt }) => wroteAt === null);

/** A pinned number that is not there may filter the recipient as well. */
function alsoAgainst({ code }: Refusal, { key, addresses, pool }: ChoiceInput): Refusal[] {
  if (code !== 'SENDER_UNAVAILABLE' || key.pinnedNumberId === null) return [];
  const [filter] = pool.find(key.pinnedNumberId)?.filters.refusing(addresses) ?? [];
  return filter === undefined ? [] : [filteredRefusal(filter, key.pinnedNumberId)];
}

const notOnNetworkMessage = 'The recipient is not registered on the network.';
const notOnNetwork = refuse('RECIPIENT_NOT_ON_NETWORK', notOnNetworkMessage, {
  details: [{ path: 'to', message: notOnNetworkMessage }],
});
