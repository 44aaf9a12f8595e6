import type { Token, Tokens } from 'marked';

/**
 * Converts Markdown, as models write it, to the network's own markup: `*bold*`, `_italic_`, `~struck~`, code, lists and
 * quotes. Links have their address in brackets, headings are bold, and each row of a table is a line. A text without Markdown
 * stays as it is.
 */
export async function networkText(markdown: string): Promise<string> {
  // Loaded with the first answer.
  const { lexer } = await import('marked');
  // A model that was told of the network's signs writes bold with one star, which in Markdown is italic.
  const style = { isStarBold: !/\*\*\S/.test(markdown) };
  return blocks(lexer(markdown), style).trim();
}

interface Style {
  isStarBold: boolean;
  /** Within a heading all is bold already. */
  isBold?: boolean;
}

const blocks = (tokens: readonly Token[], style: Style, between = '\n\n'): string =>
  tokens
    .map((token) => block(token, style))
    .filter((text) => text !== '')
    .join(between);

function block(token: Token, style: Style): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'heading':
      return marked('*', inline(token.tokens ?? [], { ...style, isBold: true }));
    case 'paragraph':
      return inline(token.tokens ?? [], style);
    case 'text':
      return inline(token.tokens ?? [token], style);
    case 'code':
      return `\`\`\`\n${token.text}\n\`\`\``;
    case 'blockquote':
      return blocks(token.tokens ?? [], style)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    case 'list':
      return list(token as Tokens.List, style);
    case 'table':
      return table(token as Tokens.Table, style);
    case 'hr':
      return '———';
    default:
      return inline([token], style);
  }
}

function list({ ordered, start, items }: Tokens.List, style: Style): string {
  const first = Number(start) || 1;
  return items
    .map((item, index) => {
      const sign = ordered ? `${first + index}.` : '-';
      const box = item.task ? `${item.checked ? '☑' : '☐'} ` : '';
      const tokens = item.tokens.filter(({ type }) => type !== 'checkbox');
      const text = blocks(tokens, style, '\n').trim().replaceAll('\n', '\n  ');
      return `${sign} ${box}${text}`;
    })
    .join('\n');
}

function table({ header, rows }: Tokens.Table, style: Style): string {
  const names = header.map(({ tokens }) => inline(tokens, { ...style, isBold: true }));
  return rows
    .map((cells) =>
      cells
        .map(({ tokens }, column) => {
          if (column === 0) return marked('*', inline(tokens, { ...style, isBold: true }));
          const text = inline(tokens, style);
          return text === '' || names[column] === '' ? text : `${names[column]}: ${text}`;
        })
        .filter((text) => text !== '')
        .join(' · '),
    )
    .join('\n');
}

const endsInWord = /[\p{L}\p{N}]$/u;
const beginsWithWord = /^[\p{L}\p{N}]/u;

/** Phones see a mark only where no letter stands before and behind: within a word there is none. */
function inline(tokens: readonly Token[], style: Style): string {
  const pieces = tokens.map((token) => piece(token, style));
  return pieces.reduce((text, { sign, words }, index) => {
    const next = pieces.slice(index + 1).find((one) => one.sign + one.words !== '');
    const isFree =
      !endsInWord.test(text) && (next === undefined || next.sign !== '' || !beginsWithWord.test(next.words));
    return text + (sign !== '' && isFree ? marked(sign, words) : words);
  }, '');
}

/** A mark ends with its line, and has no blank at its ends. */
const marked = (sign: string, text: string): string =>
  text.replaceAll(/^(\s*)(.*?)(\s*)$/gm, (line, before: string, words: string, behind: string) =>
    words === '' ? line : `${before}${sign}${words}${sign}${behind}`,
  );

const within = (token: Token): Token[] => ('tokens' in token ? (token.tokens ?? []) : []);

const plain = (words: string) => ({ sign: '', words });

function piece(token: Token, style: Style): { sign: string; words: string } {
  const inner = () => inline(within(token), style);
  switch (token.type) {
    case 'strong':
      return { sign: style.isBold ? '' : '*', words: inner() };
    case 'em':
      return {
        sign: token.raw.startsWith('*') && style.isStarBold ? (style.isBold ? '' : '*') : '_',
        words: inner(),
      };
    case 'del':
      return { sign: '~', words: inner() };
    case 'codespan':
      return plain(`\`${token.text}\``);
    case 'br':
      return plain('\n');
    case 'link':
      return plain(link(inner(), token.href));
    case 'image':
      return plain(link(token.text, token.href));
    case 'html':
      return plain(/^<br\s*\/?>$/i.test(token.raw.trim()) ? '\n' : token.raw.trimEnd());
    case 'escape':
      return plain(token.text);
    default:
      return plain(within(token).length === 0 ? characters(token.raw) : inner());
  }
}

function link(text: string, href: string): string {
  const bare = (address: string) =>
    address.replace(/^(?:mailto:|tel:|https?:\/\/(?:www\.)?)/i, '').replace(/\/$/, '');
  if (text.trim() === '' || bare(text) === bare(href))
    return /^(?:mailto|tel):/i.test(href) ? bare(href) : href;
  return href === '' ? text : `${text} (${href.replace(/^(?:mailto|tel):/i, '')})`;
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Characters that models write as HTML would. */
const characters = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => named[name] ?? whole);
