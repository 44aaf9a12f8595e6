import { randomBytes } from 'node:crypto';
import type { BinaryNode } from '@whiskeysockets/baileys';

export type Stanza = BinaryNode;
type Attributes = Record<string, string | undefined>;

/** The address of the network itself, as it stands in `from` and `to`. */
export const networkAddress = '@s.whatsapp.net';

/** Builds a stanza; attributes that are undefined are left out. */
export function stanza(tag: string, attributes: Attributes = {}, content?: Stanza['content']): Stanza {
  const attrs: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) attrs[name] = value;
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

export function childrenOf(parent: Stanza | undefined): Stanza[] {
  return Array.isArray(parent?.content) ? parent.content : [];
}

export function childrenNamed(parent: Stanza | undefined, tag: string): Stanza[] {
  return childrenOf(parent).filter((child) => child.tag === tag);
}

export function childNamed(parent: Stanza | undefined, tag: string): Stanza | undefined {
  return childrenOf(parent).find((child) => child.tag === tag);
}

/** The bytes inside a stanza; empty when it holds none. */
export function bytesOf(node: Stanza | undefined): Buffer {
  const content = node?.content;
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.alloc(0);
}

/** The bytes of a child that must be there. Throws a sentence with its name where it is missing. */
export function requiredBytes(parent: Stanza | undefined, tag: string): Buffer {
  const bytes = bytesOf(childNamed(parent, tag));
  if (bytes.length === 0) throw new Error(`<${parent?.tag ?? 'stanza'}> has no <${tag}>`);
  return bytes;
}

export function nowSeconds(): string {
  return String(Math.floor(Date.now() / 1000));
}

/** What the network, or somebody, tells a device beside messages. */
export const notification = (from: string, type: string, content: Stanza[], more: Attributes = {}): Stanza =>
  stanza('notification', { from, type, id: newStanzaId(), t: nowSeconds(), ...more }, content);

/** An id for a stanza of the network. */
export function newStanzaId(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}

/** An id for a message that a phone writes, in the shape phones use. */
export function newMessageId(): string {
  return `3A${randomBytes(9).toString('hex').toUpperCase()}`;
}
