import type { proto } from '@whiskeysockets/baileys';
import { kindOf, messageKinds } from './message-kinds.ts';

/** What only holds another message. A copy from another device is taken out before: see read-message.ts. */
const wrappers = (Object.keys(messageKinds) as (keyof proto.IMessage)[]).filter(
  (kind): kind is WrapperKind => messageKinds[kind] === 'wrapper' && kind !== 'deviceSentMessage',
);
type WrapperKind = {
  [Kind in keyof proto.IMessage]-?: NonNullable<proto.IMessage[Kind]> extends {
    message?: proto.IMessage | null;
  }
    ? Kind
    : never;
}[keyof proto.IMessage];

const wrappersMax = 8;
const secretBytes = 32;

export interface Unwrapped {
  message: proto.IMessage;
  /** The network's name for what it carries; null where it carries nothing. */
  kind: keyof proto.IMessage | null;
  isEphemeral: boolean;
  isViewOnce: boolean;
  isEdited: boolean;
  /** What opens votes, edits and reactions that are sealed for it. */
  secret: Uint8Array | null;
}

/** Takes a message out of everything that is only around it. */
export function unwrap(outer: proto.IMessage): Unwrapped {
  let message = outer;
  let isEphemeral = false;
  let isViewOnce = false;
  let isEdited = false;
  for (let depth = 0; depth < wrappersMax; depth += 1) {
    const wrapper = wrappers.find((name) => message[name]?.message);
    const inner = wrapper && message[wrapper]?.message;
    if (!inner) break;
    isEphemeral ||= wrapper === 'ephemeralMessage';
    isViewOnce ||= wrapper.startsWith('viewOnce');
    isEdited ||= wrapper === 'editedMessage';
    message = inner;
  }
  const { messageSecret } = message.messageContextInfo ?? outer.messageContextInfo ?? {};
  const secret = messageSecret?.length === secretBytes ? messageSecret : null;
  return { message, kind: kindOf(message), isEphemeral, isViewOnce, isEdited, secret };
}
