import { type MediaKind, mediaTypes, voiceType } from '../../../../../contract/messages/media-kinds.ts';
import type { Answer } from '../../../../queries/conversations/chat-items.ts';
import type { Draft, DraftFile } from '../drafts.ts';

/** What a message may hold, here as at the gateway. */
export const textCharactersMax = 4096;

/** One message of a draft, and what of the draft it was made of: that goes back when it could not be sent. */
export interface OutgoingPart {
  reply: Answer;
  file: DraftFile | null;
  hasText: boolean;
}

/** What a file is sent as: what phones do not show themselves is a document. */
export function kindOf(type: string): Exclude<MediaKind, 'sticker'> {
  for (const kind of ['image', 'video', 'audio'] as const) {
    if (mediaTypes[kind]?.includes(type)) return kind;
  }
  return 'document';
}

/** Each file is a message of its own; the text is the caption of a single one, where that kind has one. */
export function partsOf({ text, quoted, files }: Draft, sendAt: string | null): OutgoingPart[] {
  const general = {
    ...(quoted !== null && { quotedMessageId: quoted.messageId }),
    ...(sendAt !== null && { sendAt }),
  };
  const parts = files.map((file, place): OutgoingPart => {
    const captioned = text !== '' && files.length === 1 && kindOf(file.type) !== 'audio' ? text : undefined;
    const reply = {
      ...fileReply(file, captioned),
      ...(place === 0 ? general : sendAt !== null && { sendAt }),
    } as Answer;
    return { reply, file, hasText: captioned !== undefined };
  });
  if (text === '' || parts.some(({ hasText }) => hasText)) return parts;
  const rest = parts.length === 0 ? general : sendAt !== null && { sendAt };
  return [...parts, { reply: { type: 'text', text, ...rest }, file: null, hasText: true }];
}

function fileReply({ state, type, name, isVoice }: DraftFile, caption: string | undefined) {
  const mediaId = state.kind === 'ready' ? state.mediaId : '';
  const kind = kindOf(type);
  if (kind === 'audio') {
    return { type: kind, audio: { mediaId, ...(isVoice && type === voiceType && { voice: true }) } };
  }
  const captioned = { mediaId, ...(caption !== undefined && { caption }) };
  if (kind === 'document') return { type: kind, document: { ...captioned, fileName: name } };
  return { type: kind, [kind]: captioned };
}

/** What of a draft has not been sent, when the first parts have. */
export function unsentOf(draft: Draft, parts: readonly OutgoingPart[], sent: number): Draft {
  const left = parts.slice(sent);
  return {
    ...draft,
    text: left.some(({ hasText }) => hasText) ? draft.text : '',
    quoted: sent === 0 ? draft.quoted : null,
    files: left.flatMap(({ file }) => file ?? []),
  };
}
