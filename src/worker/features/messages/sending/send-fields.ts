const ownFields: Record<string, string> = {
  caption: 'Words beside it: up to 1,024 characters.',
  viewOnce: 'The recipient can look at it once.',
  fileName:
    'What the recipient sees as its name. Left out, the name that its `url` ends with, or that it was stored under.',
  voice:
    'A voice note, and not a file with sound: Opus in Ogg, or MP3, WAV or WebM with Opus of up to 15 minutes, ' +
    'which is converted before it leaves.',
};

/** What the fields of a file mean; `own`: those that this kind has beside the others. */
const fieldsOfFile = (kind: string, meaning: string, own: string[]) => ({
  [kind]: `${meaning} Give exactly one of \`url\`, \`mediaId\` and \`data\`.`,
  [`${kind}.url`]:
    'Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does ' +
    'the message, with the reason.',
  [`${kind}.mediaId`]: 'A file that is stored: from `POST /v1/media`, or of a message that came.',
  [`${kind}.data`]:
    'The file itself in base64, up to 5 MiB; also as a `data:` URI, in lines, or in the alphabet for URLs. Such a request may have 7 MiB.',
  [`${kind}.mimetype`]:
    'The type of `data`, such as `audio/ogg; codecs=opus`; left out, it is seen from the bytes.',
  ...Object.fromEntries(own.map((name) => [`${kind}.${name}`, ownFields[name] ?? ''])),
});

/** What each field of a message to send means. */
export const sendFields = {
  to: 'A phone number with country code (`+`, `00`, spaces, dashes, dots and brackets are fine), a group id, or `chat` of an event.',
  contactId:
    'Instead of `to`: a contact of the account, under whatever address the network has for them. Exactly one of the two.',
  type: 'What the message carries.',
  text: 'Of a text: 1 to 4,096 characters, not only blanks, sent exactly as they are.',
  location: 'A place on the map.',
  'location.latitude': 'Degrees, -90 to 90.',
  'location.longitude': 'Degrees, -180 to 180.',
  'location.name': 'What stands above the address, such as the name of a shop. Up to 200 characters.',
  'location.address': 'Up to 200 characters.',
  contacts: 'Cards of up to 20 people.',
  'contacts.name': 'As the recipient sees it. Up to 200 characters.',
  'contacts.phoneNumber': 'With country code; the recipient can write to it with one tap.',
  'contacts.organisation': 'Up to 200 characters.',
  poll: 'A question with 2 to 12 answers.',
  'poll.name': 'The question. Up to 255 characters.',
  'poll.options': 'The answers, each another one. Up to 100 characters each.',
  'poll.selectableCount': 'How many answers one voter may choose: 1 where it is left out, 0 for any number.',
  ...fieldsOfFile('image', 'A picture: JPEG, PNG or WebP, up to 16 MiB.', ['caption', 'viewOnce']),
  ...fieldsOfFile('video', 'A film: MP4, QuickTime or 3GPP, up to 100 MiB.', ['caption', 'viewOnce']),
  ...fieldsOfFile('audio', 'Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB.', ['voice']),
  ...fieldsOfFile('document', 'Any file, up to 100 MiB.', ['fileName', 'caption']),
  ...fieldsOfFile('sticker', 'A sticker: WebP, up to 512 KiB.', []),
  quotedMessageId: 'The message that it answers: one of yours, or one that came in.',
  mentions: 'Phone numbers of people to mention; `text` names each as `@` and its digits.',
  isForwarded: 'Marks it as forwarded.',
  senderHint:
    'A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.',
  clientReference:
    'Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it ' +
    'again also where an event arrives before this answer.',
  sendAt:
    'A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means ' +
    'now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.',
};
