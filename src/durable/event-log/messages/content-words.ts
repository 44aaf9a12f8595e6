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

/** What a model reads of a message that is no text: that it is there, and what stands beside it. */
export function wordsForModel(content: MessageContent): string {
  const words = textOf(content);
  const beside = words === '' ? '' : ` ${words}`;
  switch (content.type) {
    case 'text':
      return words;
    case 'image':
      return `[a picture, which you cannot see]${beside}`;
    case 'video':
      return `[a video, which you cannot see]${beside}`;
    case 'audio':
      return content.media.voice
        ? '[a voice note, which you cannot hear]'
        : '[a sound file, which you cannot hear]';
    case 'document':
      return `[the file ${JSON.stringify(content.media.fileName ?? 'without a name')}, which you cannot open]${beside}`;
    case 'sticker':
      return '[a sticker]';
    case 'location': {
      const { latitude, longitude, name, address } = content.location;
      return `[a location: ${[name, address, `${latitude}, ${longitude}`].filter(Boolean).join(', ')}]`;
    }
    case 'contacts':
      return `[contact cards: ${content.contacts.map(({ name }) => name).join(', ')}]`;
    case 'poll':
      return `[a poll: ${content.poll.name}]`;
    case 'unsupported':
      return '[a message of a kind that cannot be read]';
  }
}
