import { documentCharactersMax, documentChunksMax } from '../../../../contract/assistants/document.ts';
import { cutText } from '../../../../contract/texts/text.ts';
import type { Chunk, ReadOutcome } from '../../../../durable/knowledge/document.ts';
import { htmlText } from './html-text.ts';

export interface Page {
  url: string | null;
  title: string;
  text: string;
}

export type PageText = { ok: true; page: Page } | { ok: false; error: string };

const failed = (error: string): PageText => ({ ok: false, error });

/** The kind of text that bytes are, by their type and by how they begin; null: none that can be read. */
export function textKindOf(
  contentType: string,
  bytes: Uint8Array,
): 'pdf' | 'html' | 'markdown' | 'text' | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (isPdf(bytes)) return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown';
  if (type === 'application/pdf') return null;
  if (type.startsWith('text/') || type === 'application/json' || type === '') return 'text';
  return null;
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');

/** The text of a file or page, as Markdown where it has headings. Never throws. */
export async function pageText(
  contentType: string,
  bytes: Uint8Array,
  url: string | null,
): Promise<PageText> {
  const kind = textKindOf(contentType, bytes);
  if (kind === null) return failed('Not a text, Markdown, HTML or PDF file.');
  if (kind === 'pdf') return pdfText(bytes, url);
  const written = decodedText(contentType, bytes);
  if (written === null) return failed('The encoding of the text could not be recognised.');
  if (kind !== 'html') return { ok: true, page: { url, title: '', text: written } };
  const { title, text } = await htmlText(written);
  return { ok: true, page: { url, title, text } };
}

function decodedText(contentType: string, bytes: Uint8Array): string | null {
  const named = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  const marked = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 1024)).toString('latin1'),
  );
  try {
    const text = new TextDecoder(named ?? marked?.[1] ?? 'utf-8', { fatal: true, ignoreBOM: false }).decode(
      bytes,
    );
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

async function pdfText(bytes: Uint8Array, url: string | null): Promise<PageText> {
  try {
    const { extractText, getDocumentProxy } = await import('unpdf');
    const document = await getDocumentProxy(new Uint8Array(bytes));
    const { text } = await extractText(document, { mergePages: false });
    const title = '';
    const whole = text.join('\n\n').replaceAll('\0', '').toWellFormed();
    if (whole.trim() === '') return failed('The PDF contains no text: it may be scanned.');
    return { ok: true, page: { url, title, text: whole } };
  } catch {
    return failed('The PDF cannot be read: it is broken, or locked with a password.');
  }
}

/** Cuts pages into pieces, as many as are kept. */
export async function readOf(pages: readonly Page[]): Promise<ReadOutcome> {
  const chunks: Chunk[] = [];
  let characters = 0;
  for (const { url, title, text } of pages) {
    if (characters + text.length > documentCharactersMax) return tooLong;
    characters += text.length;
    const titled = title === '' || /^#\s/.test(text) ? text : `# ${title}\n\n${text}`;
    chunks.push(...cutIntoChunks(titled, url));
    if (chunks.length > documentChunksMax) return tooLong;
  }
  if (chunks.length === 0) return { ok: false, error: 'The document contains no text.', isPassing: false };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(chunks)));
  const sha256 = Buffer.from(digest).toString('hex');
  const title = pages[0]?.title ?? '';
  return { ok: true, read: { chunks, characters, pages: pages.length, sha256, ...(title && { title }) } };
}

const tooLong: ReadOutcome = {
  ok: false,
  error: `It contains more than ${documentCharactersMax.toLocaleString('en')} characters: split it into several documents.`,
  isPassing: false,
};

/** Characters of a piece: it is closed at the first end of a paragraph behind the one, and cut at the other. */
const enough = 700;
const most = 1_400;
const headingCharactersMax = 200;

/**
 * Cuts a text into pieces that can be understood alone: at headings (in Markdown), otherwise at paragraphs, otherwise at
 * sentences. Each piece has the headings above it.
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
