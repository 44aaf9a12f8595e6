import { type MessageContent, textOf } from '../../../contract/messages/content.ts';

/** The words of a message that it can be found by: what a person reads of it. */
export function wordsOf(content: MessageContent): string {
  switch (content.type) {
    case 'location':
      return [content.location.name, content.location.address].filter(Boolean).join(' ');
    case 'contacts':
      return content.contacts.map(({ name }) => name).join(' ');
    case 'poll':
      return [content.poll.name, ...content.poll.options].join(' ');
    case 'document':
      return [content.media.fileName, textOf(content)].filter(Boolean).join(' ');
    default:
      return textOf(content);
  }
}
