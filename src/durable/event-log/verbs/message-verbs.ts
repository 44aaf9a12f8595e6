import type { OutboundContent } from '../../../contract/messages/actions.ts';
import { chatAddressOf, type LoggedMessage } from '../messages/logged-message.ts';
import type { MessageFilter, MessagePage } from '../messages/reading/message-list.ts';
import { type MessageTimeline, timelineOf } from '../messages/reading/message-timeline.ts';
import type { TrafficRow } from '../traffic-counts.ts';
import type { LogClass } from './log-object.ts';

export function messageVerbs<Base extends LogClass>(base: Base) {
  return class extends base {
    /** Also one that is archived. */
    async message(messageId: string): Promise<LoggedMessage | null> {
      const { messages, archive } = this.parts;
      return messages.find(messageId) ?? (await archive.message(messageId));
    }

    /** A message with its steps, its events, and the attempts at each webhook; null: there is no such message. */
    async timeline(messageId: string): Promise<MessageTimeline | null> {
      const message = await this.message(messageId);
      return message === null ? null : timelineOf(message, this.parts.timelineParts);
    }

    /** Newest first, archived ones too; `before` is the `nextBefore` of the page before, null for the first one. */
    messages(filter: MessageFilter, limit: number, before: number | null): Promise<MessagePage> {
      const { messageList, archive, knownPeople } = this.parts;
      const allOf = (digits: string | undefined) =>
        digits === undefined ? undefined : knownPeople.namesOf({ digits, lid: null });
      const sought = { ...filter, to: allOf(filter.to), from: allOf(filter.from) };
      return archive.complete(messageList.page(sought, limit, before), { filter: sought, limit, before });
    }

    /** What was sent under this id and to whom, for a recipient whose device asks for it once more. */
    sentContent(providerMessageId: string): { content: OutboundContent; to: string } | null {
      const { messages, messageActions } = this.parts;
      const message = messages.findByProviderId(providerMessageId);
      if (message === null) return messageActions.sentContent(providerMessageId);
      return { content: message.content, to: chatAddressOf(message) };
    }

    /** By hour or by day (UTC), number by number, oldest first; between two times that begin an hour or a day. */
    traffic(spanHours: 1 | 24, since: number, until: number, numberId: string | null): Promise<TrafficRow[]> {
      return this.parts.traffic.rows(spanHours, since, until, numberId, Date.now());
    }
  };
}
