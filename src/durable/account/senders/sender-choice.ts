import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';
import type { ChatType, SenderSource } from '../../../contract/messages/message.ts';
import type { KeyPin } from '../configuration/snapshot.ts';
import type { Conversation } from '../recipients/conversations.ts';
import { filteredRefusal } from '../recipients/recipient-filters.ts';
import {
  type Candidate,
  type Chat,
  type Fitness,
  first,
  fitnessOf,
  type Readiness,
  type SenderPool,
} from './candidates.ts';
import { kindOf, type MessageKind } from './sender.ts';

/** A number that is to send. */
export interface Chosen {
  ok: true;
  numberId: string;
  source: SenderSource;
  /** What the message is to its recipient, from there. */
  kind: MessageKind;
  /** It was next in the rotation, and not chosen for a pin, a hint or a conversation. */
  rotated: boolean;
}

type SenderChoice = Chosen | Refusal;

export interface ChoiceInput {
  key: KeyPin;
  /** A number's id or phone number, or null. */
  senderHint: string | null;
  to: string;
  /** All addresses of a person; none for a group. */
  addresses: readonly string[];
  chatType: ChatType;
  /** What passed between the recipient and each number. */
  conversations: ReadonlyMap<string, Conversation>;
  pool: SenderPool;
  /** 0: no conversation binds a recipient to a number. */
  stickyHours: number;
  /** A number that is not to be chosen from the pool, or null. */
  except: string | null;
  /** Chosen from instead of the pool; null: the pool. */
  among?: readonly string[] | null;
  now: number;
}

/** The recipient as a number sees it. */
export function chatOf(
  { addresses, chatType, conversations, now }: Omit<ChoiceInput, 'to'>,
  numberId: string,
): Chat {
  const conversation = conversations.get(numberId);
  const isNewChat = chatType === 'personal' && conversation === undefined;
  return { addresses, kind: kindOf(isNewChat, conversation?.wroteAt ?? null, now) };
}

/**
 * Which number sends, as the contract says: the pinned number; with `fallback`, or without a pin, the pool; a hint goes before
 * the rotation. In the pool, the number that the recipient talks with already goes first, then the rotation.
 */
export function chooseSender(input: ChoiceInput): SenderChoice {
  const { key, senderHint } = input;
  if (key.pinnedNumberId !== null) {
    return senderHint === null ? byPin(input, key.pinnedNumberId) : hintNotAllowed;
  }
  if (senderHint === null) {
    return fromPool(input, 'ready', 'pool') ?? fromPool(input, 'waiting', 'pool') ?? noSender(input);
  }
  return byHint(input, senderHint);
}

function byPin(input: ChoiceInput, pinnedNumberId: string): SenderChoice {
  const pin = input.pool.find(pinnedNumberId);
  if (input.key.onPinFailure === 'strict') return strictly(input, pin);
  if (pin && fitness(input, pin) === 'ready') return chosen(input, pin, 'pinned');
  const other = fromPool(input, 'ready', 'pinned_fallback');
  if (other !== null) return other;
  // Nobody else could send it sooner.
  if (pin?.state === 'connected' && refusedBy(input, pin) === undefined) return chosen(input, pin, 'pinned');
  return fromPool(input, 'waiting', 'pinned_fallback') ?? noSender(input);
}

/** A number that is connected keeps what it is pinned to, also while it rests. */
function strictly(input: ChoiceInput, pin: Candidate | null): SenderChoice {
  if (pin?.state !== 'connected') {
    return refuse('SENDER_UNAVAILABLE', `The pinned number is ${pin?.state ?? 'deleted'}.`);
  }
  const filter = refusedBy(input, pin);
  return filter === undefined ? chosen(input, pin, 'pinned') : filteredRefusal(filter, pin.numberId);
}

function byHint(input: ChoiceInput, senderHint: string): SenderChoice {
  const hinted =
    input.pool.find(senderHint) ?? [...input.pool.all].find(({ phoneNumber }) => senderHint === phoneNumber);
  if (!hinted) return unknownHint;
  if (fitness(input, hinted) === 'ready') return chosen(input, hinted, 'hint');
  const other = fromPool(input, 'ready', 'hint_fallback');
  if (other !== null) return other;
  if (fitness(input, hinted) === 'waiting') return chosen(input, hinted, 'hint');
  return fromPool(input, 'waiting', 'hint_fallback') ?? noSender(input);
}

/** The number of the pool that is to speak, of those that are that fit; null when there is none. */
export function fromPool(
  input: ChoiceInput,
  wanted: 'ready' | 'waiting',
  source: SenderSource,
): Chosen | null {
  const { pool, conversations, stickyHours, except, now } = input;
  const fits = (candidate: Candidate) =>
    candidate.numberId !== except && fitness(input, candidate) === wanted;
  const talksSince = now - stickyHours * 3600 * 1000;
  let partner: Candidate | null = null;
  let partnerAt = stickyHours > 0 ? talksSince : Number.POSITIVE_INFINITY;
  /** Numbers that can do more for this recipient than for others. */
  const acquainted: Candidate[] = [];
  for (const [numberId, { lastAt }] of conversations) {
    const candidate = pool.find(numberId);
    if (candidate === null || !isOffered(input, candidate) || !fits(candidate)) continue;
    acquainted.push(candidate);
    if (lastAt > partnerAt) [partner, partnerAt] = [candidate, lastAt];
  }
  if (partner !== null) return chosen(input, partner, source);
  const { among = null } = input;
  const rotated =
    among === null
      ? pool.next(listsFor(input, wanted), fits)
      : first(among.map((numberId) => pool.find(numberId)).filter((it) => it !== null && fits(it)));
  const next = first([rotated, ...acquainted]);
  return next === null ? null : chosen(input, next, source, true);
}

/** Whether it may be chosen at all: of the pool, or one of those that were named. */
const isOffered = ({ among = null }: ChoiceInput, { numberId, inPool }: Candidate): boolean =>
  among === null ? inPool : among.includes(numberId);

/** Where the numbers are that fit recipients with whom they have no conversation. Groups are no new chats. */
function listsFor({ chatType }: ChoiceInput, wanted: 'ready' | 'waiting'): readonly Readiness[] {
  if (chatType === 'group') return wanted === 'ready' ? ['ready', 'restricted'] : ['waiting'];
  return wanted === 'ready' ? ['ready'] : ['waiting', 'restricted'];
}

function fitness(input: ChoiceInput, candidate: Candidate): Fitness {
  return fitnessOf(candidate, chatOf(input, candidate.numberId)).fitness;
}

const refusedBy = ({ addresses }: ChoiceInput, { filters }: Candidate) => filters.refusing(addresses)[0];

function chosen(input: ChoiceInput, { numberId }: Candidate, source: SenderSource, rotated = false): Chosen {
  return { ok: true, numberId, source, kind: chatOf(input, numberId).kind, rotated };
}

/** Nobody in the pool can: told as a filter's doing when only filters stand in the way. */
function noSender(input: ChoiceInput): Refusal {
  for (const candidate of input.pool.all) {
    const filter = refusedBy(input, candidate);
    const chat = { ...chatOf(input, candidate.numberId), addresses: [] };
    if (
      isOffered(input, candidate) &&
      filter !== undefined &&
      fitnessOf(candidate, chat).fitness !== 'unfit'
    ) {
      return filteredRefusal(filter, candidate.numberId);
    }
  }
  return refuse('NO_HEALTHY_SENDER', 'No number in the pool is connected and healthy.');
}

const hintNotAllowed = refuse(
  'SENDER_HINT_NOT_ALLOWED',
  'This API key is pinned to a number and takes no senderHint.',
  { details: [{ path: 'senderHint', message: 'A pinned key always uses its own number.' }] },
);

const unknownHint = invalidField('senderHint', 'No number in this account has this ID or phone number.');
