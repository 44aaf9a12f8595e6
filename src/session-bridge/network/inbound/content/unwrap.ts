import { getContentType, type proto } from '@whiskeysockets/baileys';

/** What only holds another message. */
const wrappers = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'lottieStickerMessage',
  'associatedChildMessage',
  'groupStatusMessage',
  'groupStatusMessageV2',
  'questionMessage',
  'questionReplyMessage',
  'botForwardedMessage',
  'pollCreationMessageV4',
] as const satisfies (keyof proto.IMessage)[];

const wrappersMax = 8;
const secretBytes = 32;

export interface Unwrapped {
  message: proto.IMessage;
  /** The network's name for what it carries; null where it carries nothing. */
  kind: keyof proto.IMessage | null;
  isEphemeral: boolean;
  isViewOnce: boolean;
  /** What opens the votes of a poll. */
  secret: Uint8Array | null;
}

/** Takes a message out of everything that is only around it. */
export function unwrap(outer: proto.IMessage): Unwrapped {
  let message = outer;
  let isEphemeral = false;
  let isViewOnce = false;
  for (let depth = 0; depth < wrappersMax; depth += 1) {
    const wrapper = wrappers.find((name) => message[name]?.message);
    const inner = wrapper && message[wrapper]?.message;
    if (!inner) break;
    isEphemeral ||= wrapper === 'ephemeralMessage';
    isViewOnce ||= wrapper.startsWith('viewOnce');
    message = inner;
  }
  const { messageSecret } = message.messageContextInfo ?? outer.messageContextInfo ?? {};
  const secret = messageSecret?.length === secretBytes ? messageSecret : null;
  return { message, kind: getContentType(message) ?? null, isEphemeral, isViewOnce, secret };
}
