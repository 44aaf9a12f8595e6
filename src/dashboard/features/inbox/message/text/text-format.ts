/** A text as phones show it: with marks for bold and so on, and links. Never HTML: each piece is shown as text. */
export type Piece =
  | { kind: 'text' | 'code' | 'block'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'bold' | 'italic' | 'struck'; pieces: Piece[] };

type Mark = 'bold' | 'italic' | 'struck';
const marks: Record<string, Mark> = { '*': 'bold', _: 'italic', '~': 'struck' };
const link = /(?:https?:\/\/|www\.)[^\s<>"]+/iy;
const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);
const isBlank = (character: string | undefined) => character === undefined || /\s/.test(character);

/** Reads each character a bounded number of times, whatever somebody writes. */
export function piecesOf(text: string, allowed = Object.keys(marks).join('')): Piece[] {
  const pieces: Piece[] = [];
  const closers = closersOf(text, allowed);
  let plainFrom = 0;
  let at = 0;
  const addPiece = (piece: Piece, end: number) => {
    if (at > plainFrom) pieces.push({ kind: 'text', text: text.slice(plainFrom, at) });
    pieces.push(piece);
    plainFrom = end;
    at = end;
  };
  // Behind the last one there is no need to look again.
  const lastTick = text.lastIndexOf('`');
  const lastBlock = text.lastIndexOf('```');
  while (at < text.length) {
    const character = text.charAt(at);
    const before = text[at - 1];
    if (character === '`' && at < lastTick) {
      const code = codeAt(text, at, lastBlock);
      if (code !== null) {
        addPiece(code.piece, code.end);
        continue;
      }
    }
    if (/[hw]/i.test(character) && !isWordCharacter(before)) {
      const found = linkAt(text, at);
      if (found !== null) {
        addPiece(
          { kind: 'link', text: found, href: /^www\./i.test(found) ? `https://${found}` : found },
          at + found.length,
        );
        continue;
      }
    }
    const mark = allowed.includes(character) ? marks[character] : undefined;
    if (mark !== undefined && !isWordCharacter(before) && !isBlank(text[at + 1])) {
      const end = closers.after(character, at);
      if (end !== null) {
        const inner = piecesOf(text.slice(at + 1, end), allowed.replace(character, ''));
        addPiece({ kind: mark, pieces: inner }, end + 1);
        continue;
      }
    }
    at += 1;
  }
  if (plainFrom < text.length) pieces.push({ kind: 'text', text: text.slice(plainFrom) });
  return pieces;
}

/** Where each mark may end: behind something that is not blank, and not within a word. */
function closersOf(text: string, allowed: string) {
  const places = new Map<string, number[]>();
  const lines = [...text.matchAll(/\n/g)].map(({ index }) => index);
  for (const character of allowed) places.set(character, []);
  for (let at = 1; at < text.length; at += 1) {
    const found = places.get(text.charAt(at));
    if (found !== undefined && !isBlank(text[at - 1]) && !isWordCharacter(text[at + 1])) found.push(at);
  }
  const next = new Map<string, number>();
  let line = 0;
  return {
    /** Its end on the same line; null where there is none. */
    after(character: string, at: number): number | null {
      const found = places.get(character) ?? [];
      let place = next.get(character) ?? 0;
      while (place < found.length && (found[place] ?? 0) <= at + 1) place += 1;
      next.set(character, place);
      while (line < lines.length && (lines[line] ?? 0) < at) line += 1;
      const end = found[place];
      return end === undefined || end > (lines[line] ?? text.length) ? null : end;
    },
  };
}

function codeAt(text: string, at: number, lastBlock: number): { piece: Piece; end: number } | null {
  if (text.startsWith('```', at) && lastBlock >= at + 4) {
    const end = text.indexOf('```', at + 4);
    return { piece: { kind: 'block', text: text.slice(at + 3, end).replace(/^\n|\n$/g, '') }, end: end + 3 };
  }
  const end = text.indexOf('`', at + 1);
  const inner = text.slice(at + 1, end);
  if (inner.trim() === '' || inner.includes('\n')) return null;
  return { piece: { kind: 'code', text: inner }, end: end + 1 };
}

/** Without what ends the sentence around it. */
function linkAt(text: string, at: number): string | null {
  link.lastIndex = at;
  const found = link.exec(text)?.[0];
  if (found === undefined) return null;
  const bare = found.replace(/[.,;:!?'*_~)\]}]+$/, (end) => {
    // A bracket that was opened within the link belongs to it.
    const isOpened = end.startsWith(')') && found.includes('(');
    return isOpened ? ')' : '';
  });
  return URL.canParse(/^www\./i.test(bare) ? `https://${bare}` : bare) ? bare : null;
}
