import { cutText } from '../../../../contract/texts/cut-text.ts';
import type { Chunk } from '../../../../durable/knowledge/document.ts';

/** Characters of a piece: it is closed at the first end of a paragraph behind the one, and cut at the other. */
const enough = 700;
const most = 1_400;
const headingCharactersMax = 200;

/**
 * Cuts a text into pieces that can be understood by themselves: at headings (as Markdown has them), else at paragraphs,
 * else at sentences. A piece knows the headings that it stands under.
 */
export function cutIntoChunks(text: string, url: string | null): Chunk[] {
  const chunks: Chunk[] = [];
  const headings: string[] = [];
  let gathered = '';
  const close = () => {
    const whole = gathered.trim();
    gathered = '';
    if (whole !== '') chunks.push({ url, heading: headingOf(headings), text: whole });
  };
  for (const block of blocksOf(text)) {
    const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(block);
    if (heading !== null) {
      close();
      headings.length = Math.min(headings.length, (heading[1]?.length ?? 1) - 1);
      headings.push(heading[2] ?? '');
      continue;
    }
    for (const part of partsOf(block)) {
      if (gathered !== '' && gathered.length + part.length > most) close();
      gathered += gathered === '' ? part : `\n\n${part}`;
      if (gathered.length >= enough) close();
    }
  }
  close();
  return chunks;
}

const headingOf = (headings: readonly string[]) =>
  cutText(headings.filter(Boolean).join(' › '), headingCharactersMax);

/** Paragraphs, and headings by themselves. */
function blocksOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/^(#{1,6}\s.*)$/gm, '\n\n$1\n\n')
    .split(/\n\s*\n/)
    .map((block) => block.replaceAll(/[ \t]+/g, ' ').trim())
    .filter((block) => block !== '');
}

/** A paragraph, or what a long one falls into: its sentences, and those cut at words where they are long themselves. */
function partsOf(block: string): string[] {
  if (block.length <= most) return [block];
  const parts: string[] = [];
  let gathered = '';
  for (const sentence of block.split(/(?<=[.!?])\s+|(?<=[。！？])\s*|\n/)) {
    for (const piece of wordsApart(sentence)) {
      if (gathered.length + piece.length > enough && gathered !== '') {
        parts.push(gathered);
        gathered = '';
      }
      gathered += gathered === '' ? piece : ` ${piece}`;
    }
  }
  if (gathered !== '') parts.push(gathered);
  return parts;
}

function wordsApart(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > most) {
    const space = rest.lastIndexOf(' ', most);
    const piece = space > enough ? rest.slice(0, space) : cutText(rest, most);
    pieces.push(piece);
    rest = rest.slice(piece.length).trimStart();
  }
  return [...pieces, rest];
}
