import { createHash, createHmac, type KeyObject } from 'node:crypto';

/** Sealed and in base64 a part takes 256 KiB at most, whatever characters are in it. */
const partCharactersMax = 60_000;
/** No entry begins so: all of them are JSON. */
const listMark = '\u0000parts ';

/** What an entry is stored as: by key, null for what is to go. */
export type StoredEntries = [key: string, plain: string | null][];

/**
 * Entries that are too large for one frame, such as the state of a full address book, are stored as parts, with a list
 * of them under the entry's own key. A part is named after its content: what has not changed is not written again, and
 * until the new list is stored the old one still has all of its parts.
 */
export class LargeEntries {
  readonly #namingKey: KeyObject;
  /** Parts of the large entries that were read or written in this life. */
  readonly #partsOf = new Map<string, string[]>();

  constructor(namingKey: KeyObject) {
    this.#namingKey = namingKey;
  }

  /** What to store for an entry, in this order. */
  toStore(key: string, plain: string | null): StoredEntries {
    const before = new Set(this.#partsOf.get(key));
    if (plain === null || plain.length <= partCharactersMax) {
      this.#partsOf.delete(key);
      return [[key, plain], ...[...before].map((part): [string, null] => [part, null])];
    }
    const parts = new Map<string, string>();
    const names = cut(plain).map((text) => {
      const name = this.#nameOf(key, text);
      parts.set(name, text);
      return name;
    });
    this.#partsOf.set(key, names);
    const outdated = [...before].filter((name) => !parts.has(name));
    return [
      ...[...parts].filter(([name]) => !before.has(name)),
      [key, listMark + JSON.stringify(names)],
      ...outdated.map((name): [string, null] => [name, null]),
    ];
  }

  /** The parts that a stored entry consists of; null for one that is whole. */
  partsIn(key: string, stored: string): string[] | null {
    if (!stored.startsWith(listMark)) return null;
    const names = JSON.parse(stored.slice(listMark.length)) as string[];
    this.#partsOf.set(key, names);
    return names;
  }

  #nameOf(key: string, text: string): string {
    const content = createHmac('sha256', this.#namingKey).update(text).digest('base64url').slice(0, 24);
    return `${partsBegin(key)}${content}`;
  }
}

/** How the keys of an entry's parts begin. */
export function partsBegin(key: string): string {
  return `part/${createHash('sha256').update(key).digest('base64url').slice(0, 16)}:`;
}

/** Never between the two halves of a character. */
function cut(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + partCharactersMax, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
