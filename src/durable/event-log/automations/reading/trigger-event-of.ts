import { phoneNumberSchema } from '../../../../contract/ids.ts';
import type { StoredEvent } from '../../events/event-rows.ts';
import type { ConversationPort } from '../conversation-port.ts';
import type { Cause, TriggerEvent } from '../rules/trigger-event.ts';

/** When the author of an inbound message wrote it: its id bears that (see messages/message-key.ts). */
const writtenAt = (messageId: string): number =>
  Number.parseInt(messageId.slice('msg_'.length).replaceAll('-', '').slice(0, 12), 16);

/** Changes of a conversation that no rule answers: that somebody has read it is none of a person's. */
const unheard: readonly string[] = ['unreadCount', 'sla', 'botState'];

/** What rules see in an event; null where it is nothing that they answer. */
export function triggerEventOf(
  { envelope }: StoredEvent,
  cause: Cause | null,
  conversations: Pick<ConversationPort, 'find' | 'of'>,
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
      const known = groupId === undefined ? conversations.of(numberId, author) : null;
      return {
        ...common,
        on: 'message.received',
        numberId,
        conversationId: null,
        person: known?.person ?? author,
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
      const { person } = conversation;
      return { ...common, on: envelope.event, numberId, conversationId, person, message: null };
    }
    default:
      return null;
  }
}
