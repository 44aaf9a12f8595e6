import type { BinaryNode } from '@whiskeysockets/baileys';
import type { TypingState } from '../../../contract/bridge/network-queries.ts';
import { type Person, personOf } from './jids.ts';

/** The other side of a chat of two types, records or has stopped. */
export interface RawTyping extends Person {
  state: TypingState;
}

/** Null for what is said in groups, and for anything else. */
export function readTyping({ attrs, content }: BinaryNode): RawTyping | null {
  const [said] = Array.isArray(content) ? content : [];
  if (!said || !attrs.from || attrs.from.endsWith('@g.us')) return null;
  const state = stateOf(said);
  const person = personOf(attrs.from, attrs.sender_pn ?? attrs.sender_lid);
  return state === null || (person.phoneNumber ?? person.lid) === null ? null : { ...person, state };
}

function stateOf({ tag, attrs }: BinaryNode): TypingState | null {
  if (tag === 'composing') return attrs.media === 'audio' ? 'recording' : 'typing';
  return tag === 'paused' ? 'paused' : null;
}
