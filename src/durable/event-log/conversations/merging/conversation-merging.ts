import { distinctLabels } from '../../../../contract/contacts/contact.ts';
import type { Actor } from '../../../../contract/conversations/conversation.ts';
import { newUuid } from '../../../new-ids.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { LoggedMessage } from '../../messages/logged-message.ts';
import type { ConversationActivity } from '../activity.ts';
import type { KnownTeams } from '../assignment/known-teams.ts';
import type { ChatMessages } from '../chat-messages.ts';
import { type Addresses, type Conversation, newConversation, type PersonAddress } from '../conversation.ts';
import type { ConversationHook } from '../conversation-steps.ts';
import type { ConversationWriter } from '../conversation-writer.ts';
import type { ConversationNotes } from '../notes.ts';
import type { ConversationRows } from '../rows/conversation-rows.ts';

const system: Actor = { kind: 'system' };

interface MergingParts {
  rows: ConversationRows;
  writer: ConversationWriter;
  notes: ConversationNotes;
  activity: ConversationActivity;
  messages: ChatMessages;
  hooks: readonly ConversationHook[];
  teams: KnownTeams;
}

/** Conversations that become one, two again, or what they were before the archive. Call it inside a transaction. */
export class ConversationMerging {
  readonly #parts: MergingParts;

  constructor(parts: MergingParts) {
    this.#parts = parts;
  }

  /**
   * Two addresses belong to one person. Their two conversations with a number are merged, for at most `limit` numbers. A
   * conversation that exists only once gets both addresses; of two phone numbers, it gets the other one. `isWhole`: none is
   * left.
   */
  join(
    one: PersonAddress,
    other: PersonAddress,
    at: number,
    limit: number,
  ): { drafts: EventDraft[]; isWhole: boolean } {
    const { rows, writer } = this.#parts;
    const twins = rows.twins(one, other, limit);
    const drafts = twins.flatMap(([kept, gone]) => {
      const [to, from] = [kept.conversationId, gone.conversationId];
      this.#move(from, to, at);
      rows.remove(gone);
      this.#parts.activity.note(to, system, at, [{ action: 'merged', from, to }]);
      return writer.commit(kept, { conversation: joined(kept, gone), moments: ['changed'] }, system, at)
        .drafts;
    });
    rows.readdress(one, other);
    if (one.kind !== other.kind) rows.readdress(other, one);
    return { drafts, isWhole: twins.length < limit };
  }

  /**
   * Two people were wrongly taken for one. The first gets the conversations in which they have written or were written to, and
   * so does the second, for `limit` numbers after the number `after`. `upTo`: the last of them; null: none is left.
   */
  part(
    first: Addresses,
    second: Addresses,
    at: number,
    { after, limit }: { after: string; limit: number },
  ): { drafts: EventDraft[]; upTo: string | null } {
    const { rows, messages, writer } = this.#parts;
    const [phoneNumber, lid] = [first.phoneNumber ?? second.phoneNumber, first.lid ?? second.lid];
    if (phoneNumber === null || lid === null) return { drafts: [], upTo: null };
    const both = rows.withBoth(phoneNumber, lid, after, limit);
    const numberIds = both.map(({ numberId }) => numberId);
    const [ofFirst, ofSecond] = [
      messages.newestWith(first, numberIds),
      messages.newestWith(second, numberIds),
    ];
    const drafts = both.flatMap((before) => {
      const { numberId } = before;
      const [newest, others] = [ofFirst.get(numberId), ofSecond.get(numberId)];
      const [one, other] = [
        { ...before, phoneNumber: first.phoneNumber, lid: first.lid },
        { ...before, phoneNumber: second.phoneNumber, lid: second.lid },
      ];
      if (newest === undefined || others === undefined) {
        rows.put(others === undefined ? one : other, before);
        return [];
      }
      rows.put(this.#showing(one, newest), before);
      const begun = this.#showing({ ...other, conversationId: newUuid(), unreadCount: 0 }, others);
      return writer.commit(null, { conversation: begun, moments: [] }, system, at).drafts;
    });
    return { drafts, upTo: both.length < limit ? null : (numberIds.at(-1) ?? null) };
  }

  /**
   * Restores the fields of a conversation that comes from the archive, or merges them into the one that exists by now. Its
   * assignee and team are not restored, since they may no longer exist.
   */
  comeBack(archived: Conversation, at: number): EventDraft[] {
    const { rows, teams, writer } = this.#parts;
    const live = rows.of(archived) ?? rows.find(archived.conversationId);
    if (live === null) {
      rows.put({ ...archived, assigneeId: null, teamId: teams.ownerOf(archived.numberId) }, null);
      return [];
    }
    const [to, from] = [live.conversationId, archived.conversationId];
    if (to !== from) this.#move(from, to, at);
    const labels = distinctLabels([...archived.labels, ...live.labels]);
    const { priority, createdAt } = archived;
    const conversation = { ...live, labels, priority, createdAt };
    return writer.commit(live, { conversation, moments: ['changed'] }, system, at).drafts;
  }

  /** Nothing of a conversation may be known any more, and somebody has written in it since: that is another one. */
  beginAnew(gone: Conversation, at: number): EventDraft[] {
    const { numberId, groupId, phoneNumber, lid, status, snoozedUntil, assigneeId, teamId } = gone;
    const { unreadCount, lastMessage, last, waitingSince, lastInboundAt, wokenAt } = gone;
    const conversation = {
      ...newConversation({ conversationId: newUuid(), numberId, groupId, phoneNumber, lid, createdAt: at }),
      ...{
        status,
        snoozedUntil,
        assigneeId,
        teamId,
        unreadCount,
        lastMessage,
        last,
        waitingSince,
        lastInboundAt,
        wokenAt,
      },
    };
    return this.#parts.writer.commit(null, { conversation, moments: [] }, system, at).drafts;
  }

  /** Notes, activity and what else hangs on a conversation. */
  #move(from: string, to: string, at: number): void {
    const { notes, activity, hooks } = this.#parts;
    for (const hook of hooks) hook.joined?.(from, to, at);
    notes.move(from, to);
    activity.move(from, to);
  }

  #showing(conversation: Conversation, message: LoggedMessage): Conversation {
    return { ...conversation, lastMessage: message.id, last: this.#parts.messages.summary(message) };
  }
}

const earlier = (a: number | null, b: number | null) =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
const later = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b));
/** What counts first: what people have said to an assistant, then that one takes part. */
const botStates = ['paused', 'active'] as const;

/** What two conversations with the same person come to: it is open where one of them was. */
function joined(kept: Conversation, gone: Conversation): Conversation {
  const open = [kept, gone].find(({ status }) => status === 'open');
  const newest = gone.lastMessage > kept.lastMessage ? gone : kept;
  const { status, snoozedUntil, resolvedAt } = open ?? newest;
  return {
    ...kept,
    phoneNumber: kept.phoneNumber ?? gone.phoneNumber,
    lid: kept.lid ?? gone.lid,
    status,
    snoozedUntil,
    resolvedAt,
    assigneeId: kept.assigneeId ?? gone.assigneeId,
    teamId: kept.teamId ?? gone.teamId,
    labels: distinctLabels([...kept.labels, ...gone.labels]),
    unreadCount: kept.unreadCount + gone.unreadCount,
    lastMessage: newest.lastMessage,
    last: newest.last,
    answers: newest.answers,
    waitingSince: earlier(kept.waitingSince, gone.waitingSince),
    lastInboundAt: later(kept.lastInboundAt, gone.lastInboundAt),
    lastResponseAt: later(kept.lastResponseAt, gone.lastResponseAt),
    firstResponseAt: earlier(kept.firstResponseAt, gone.firstResponseAt),
    firstResponseDueAt: earlier(kept.firstResponseDueAt, gone.firstResponseDueAt),
    nextResponseDueAt: earlier(kept.nextResponseDueAt, gone.nextResponseDueAt),
    resolutionDueAt: earlier(kept.resolutionDueAt, gone.resolutionDueAt),
    botState: botStates.find((state) => kept.botState === state || gone.botState === state) ?? 'off',
    createdAt: Math.min(kept.createdAt, gone.createdAt),
    openedAt: Math.min(kept.openedAt, gone.openedAt),
    wokenAt: later(kept.wokenAt, gone.wokenAt),
  };
}
