import { phoneNumberSchema } from '../../../../contract/ids.ts';
import { logFault } from '../../../log.ts';
import { inTransaction } from '../../../storage/in-transaction.ts';
import type { ConversationRows } from '../../conversations/rows/conversation-rows.ts';
import type { EventRows, StoredEvent } from '../../events/event-rows.ts';
import type { LogState } from '../../log-state.ts';
import type { RuleSet } from '../rule-set.ts';
import { isOccasion } from '../rules/judge.ts';
import { type Cause, personOf, type TriggerEvent } from '../rules/trigger-event.ts';
import type { Runner } from '../runner.ts';
import type { CauseRows } from '../runs/run-rows.ts';

/** When the author of an inbound message wrote it: its id bears that (see messages/message-key.ts). */
const writtenAt = (messageId: string): number =>
  Number.parseInt(messageId.slice('msg_'.length).replaceAll('-', '').slice(0, 12), 16);

/** Changes of a conversation that no rule answers: that somebody has read it is none of a person's. */
const unheard: readonly string[] = ['unreadCount', 'sla', 'botState'];

/** What rules see in an event; null where it is nothing that they answer. */
export function triggerEventOf(
  { envelope }: StoredEvent,
  cause: Cause | null,
  conversations: Pick<ConversationRows, 'find' | 'of'>,
): TriggerEvent | null {
  const own = { eventId: envelope.id, at: Date.parse(envelope.timestamp) };
  const common = { ...own, ...(cause ?? { root: own, chain: [] }) };
  switch (envelope.event) {
    case 'message.received': {
      const { messageId, numberId, from, senderLid, groupId, text, messageType } = envelope.data;
      const isPhoneNumber = from !== senderLid && phoneNumberSchema.safeParse(from).success;
      const author = {
        phoneNumber: isPhoneNumber ? from : null,
        lid: senderLid ?? null,
        groupId: groupId ?? null,
      };
      // Under one address or another it is the same person, of whom the conversation knows both.
      const known = groupId === undefined ? conversations.of({ numberId, ...author }) : null;
      return {
        ...common,
        on: 'message.received',
        numberId,
        conversationId: null,
        person: known === null ? author : personOf(known),
        message: { messageId, text, messageType, writtenAt: writtenAt(messageId) },
      };
    }
    case 'conversation.created':
    case 'conversation.updated': {
      const { conversationId, numberId, changes } = envelope.data;
      const isUpdate = envelope.event === 'conversation.updated';
      if (isUpdate && Object.keys(changes).every((name) => unheard.includes(name))) return null;
      // What a person begins is theirs from the start: nobody has written.
      if (!isUpdate && envelope.data.assigneeId !== undefined) return null;
      const conversation = conversations.find(conversationId);
      if (conversation === null) return null;
      const person = personOf(conversation);
      return { ...common, on: envelope.event, numberId, conversationId, person, message: null };
    }
    default:
      return null;
  }
}

/** Events that one transaction looks at. */
const sliceMax = 100;
/** The place is stored when a rule had something to say, and else after so many events. */
const movedMin = 200;
const positionName = 'automations.position';

interface Parts {
  storage: DurableObjectStorage;
  state: LogState;
  events: EventRows;
  rules: RuleSet;
  causes: CauseRows;
  runner: Runner;
  conversations: Pick<ConversationRows, 'find' | 'of'>;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

/** Reads the account's events in their order, each once, and applies the rules to them. */
export class EventReading {
  readonly #parts: Parts;
  #position: number;
  #storedPosition: number;
  /** When the next event to read happened; milliseconds since 1970, null: not looked up. */
  #behindSince: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#storedPosition = parts.state.get<number>(positionName) ?? 0;
    this.#position = this.#storedPosition;
  }

  get isBehind(): boolean {
    return this.#parts.rules.on.length > 0 && this.#begin() < this.#parts.events.head;
  }

  /** Since when something waits to be read; null: nothing does. */
  behindSince(): number | null {
    if (!this.isBehind) return null;
    this.#behindSince ??= this.#parts.events.timeOf(this.#begin() + 1) ?? 0;
    return this.#behindSince;
  }

  /** Reads a slice. True: something is planned for outside. */
  readSlice(now: number): boolean {
    const { storage, events, reload } = this.#parts;
    const read = events.read(this.#begin(), sliceMax);
    const last = read.at(-1);
    if (last === undefined) return false;
    this.#behindSince = null;
    return inTransaction(
      storage,
      () => this.#apply(read, last.seq, now),
      () => {
        reload();
        this.#position = this.#storedPosition;
      },
    );
  }

  #apply(read: readonly StoredEvent[], upTo: number, now: number): boolean {
    let [hadOccasion, plansOuter] = [false, false];
    for (const event of read) {
      const applied = this.#applyOne(event, now);
      hadOccasion ||= applied !== null;
      plansOuter ||= applied === true;
    }
    this.#position = upTo;
    if (hadOccasion || upTo - this.#storedPosition >= movedMin) {
      this.#parts.state.put(positionName, upTo);
      this.#parts.causes.deleteUpTo(upTo);
      this.#storedPosition = upTo;
    }
    return plansOuter;
  }

  /** Whether something is planned for outside; null: no rule had anything to say to it. */
  #applyOne(event: StoredEvent, now: number): boolean | null {
    const { storage, rules, causes, runner, conversations, reload } = this.#parts;
    const answering = rules.answering(event.seq);
    if (!mayAnswer(answering, event)) return null;
    try {
      return storage.transactionSync(() => {
        const trigger = triggerEventOf(event, causes.of(event.seq), conversations);
        return trigger === null ? null : runner.apply(answering, trigger, now);
      });
    } catch (error) {
      // One event that rules cannot be applied to must not hold up the others.
      logFault('automation.not_applied', error, { eventId: event.envelope.id });
      reload();
      return false;
    }
  }

  /** Behind which event reading goes on: what was there before every rule, and what is gone, is not waited for. */
  #begin(): number {
    const { rules, events } = this.#parts;
    const since = rules.on.map(({ sinceSeq }) => sinceSeq);
    return Math.max(this.#position, events.oldest - 1, Math.min(...since));
  }
}

const mayAnswer = (rules: ReturnType<RuleSet['answering']>, { envelope: { event } }: StoredEvent): boolean =>
  (event === 'message.received' || event === 'conversation.created' || event === 'conversation.updated') &&
  rules.some((rule) => isOccasion(rule, { on: event }));
