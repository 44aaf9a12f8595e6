import { example } from '../../../openapi/examples/example-values.ts';

const ownFields: Record<string, string> = {
  caption: 'A caption: up to 1,024 characters.',
  viewOnce: 'The recipient can view it once.',
  fileName:
    'The file name that the recipient sees. Defaults to the last part of its `url`, or the name it was stored with.',
  voice:
    'A voice note, not an audio file: Opus in Ogg; or MP3, WAV or WebM with Opus of up to 15 minutes, which is ' +
    'converted before it leaves.',
};

/** What the fields of a file mean; `own`: those that this kind has beside the others. */
const fieldsOfFile = (kind: string, meaning: string, own: string[]) => ({
  [kind]: `${meaning} Give exactly one of \`url\`, \`mediaId\` and \`data\`.`,
  [`${kind}.url`]:
    'The URL of the file. It is downloaded when the message is accepted, under the same rules as webhooks. If that ' +
    'fails, so does the message, with the reason.',
  [`${kind}.mediaId`]: 'A stored file: from `POST /v1/media`, or from a received message.',
  [`${kind}.data`]:
    'The file itself in base64, up to 5 MiB; also as a `data:` URI, with line breaks, or in the URL-safe alphabet. ' +
    'Such a request may have up to 7 MiB.',
  [`${kind}.mimetype`]:
    'The type of `data`, such as `audio/ogg; codecs=opus`; if omitted, it is detected from the bytes.',
  ...Object.fromEntries(own.map((name) => [`${kind}.${name}`, ownFields[name] ?? ''])),
});

/** What each field of a message to send means. */
export const sendFields = {
  to:
    'A phone number with country code (`+`, `00`, spaces, dashes, dots and brackets are fine), a group ID, or `chat` ' +
    'of an event.',
  contactId:
    'Instead of `to`: a contact of the account, whatever their address on the network. The ID of a contact that became ' +
    'part of another one means that one. Send exactly one of the two.',
  type: 'The kind of message.',
  text: 'For text: 1 to 4,096 characters, not only blanks, sent exactly as written.',
  location: 'A location.',
  'location.latitude': 'Degrees, -90 to 90.',
  'location.longitude': 'Degrees, -180 to 180.',
  'location.name': 'Shown above the address, such as the name of a shop. Up to 200 characters.',
  'location.address': 'Up to 200 characters.',
  contacts: 'Contact cards of up to 20 people.',
  'contacts.name': 'As the recipient sees it. Up to 200 characters.',
  'contacts.phoneNumber': 'With country code; the recipient can write to it with one tap.',
  'contacts.organisation': 'Up to 200 characters.',
  poll: 'A poll with 2 to 12 options.',
  'poll.name': 'The question. Up to 255 characters.',
  'poll.options': 'The options, each different. Up to 100 characters each.',
  'poll.selectableCount': 'How many options a voter may choose: 1 by default, 0 for any number.',
  ...fieldsOfFile('image', 'An image: JPEG, PNG or WebP, up to 16 MiB.', ['caption', 'viewOnce']),
  ...fieldsOfFile('video', 'A video: MP4, QuickTime or 3GPP, up to 100 MiB.', ['caption', 'viewOnce']),
  ...fieldsOfFile('audio', 'Audio: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB.', ['voice']),
  ...fieldsOfFile('document', 'Any file, up to 100 MiB.', ['fileName', 'caption']),
  ...fieldsOfFile('sticker', 'A sticker: WebP, up to 512 KiB.', []),
  quotedMessageId: 'The message it replies to: sent or received.',
  mentions: 'Phone numbers of people to mention; `text` refers to each as `@` and the digits.',
  isForwarded: 'Marks it as forwarded.',
  senderHint:
    'A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.',
  clientReference:
    'Up to 128 characters of your own. The message record and all its events carry it, so you recognise them even if ' +
    'an event arrives before this response.',
  sendAt:
    'A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A past time means now. The ' +
    'sender is chosen now, and again at that time if it cannot send then; the time within which the message must ' +
    'leave starts then.',
};

/** A message of each kind, but for a text. */
export const kindExamples = {
  document: {
    summary: 'A stored document',
    value: {
      to: example.recipient,
      type: 'document',
      document: { mediaId: example.mediaId, fileName: 'invoice-1042.pdf', caption: 'Your invoice.' },
    },
  },
  video: {
    summary: 'A video at a URL',
    value: { to: example.recipient, type: 'video', video: { url: 'https://example.com/tour.mp4' } },
  },
  image: {
    summary: 'An image in the request',
    value: {
      to: example.recipient,
      type: 'image',
      image: { data: example.picture, caption: 'On its way.' },
    },
  },
  location: {
    summary: 'A location',
    value: {
      to: example.recipient,
      type: 'location',
      location: { latitude: -6.1754, longitude: 106.8272, name: 'National Monument' },
    },
  },
  contacts: {
    summary: 'A contact',
    value: {
      to: example.recipient,
      type: 'contacts',
      contacts: [{ name: 'Dewi Lestari', phoneNumber: '628987654321', organisation: 'Support' }],
    },
  },
  poll: {
    summary: 'A poll',
    value: {
      to: example.recipient,
      type: 'poll',
      poll: { name: 'When shall we deliver?', options: ['In the morning', 'In the evening'] },
    },
  },
};
