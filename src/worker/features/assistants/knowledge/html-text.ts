/** What a page says beside its own words. */
const leftOut =
  'script, style, noscript, template, svg, nav, footer, aside, form, iframe, button, select, dialog';
const blocks =
  'p, div, section, article, main, tr, ul, ol, table, blockquote, pre, figure, dl, dt, dd, br, hr';
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

/** The title of a page and its text, headings and lists as Markdown has them. */
export async function htmlText(html: string): Promise<{ title: string; text: string }> {
  let title = '';
  let text = '';
  let hidden = 0;
  let isTitle = false;
  const add = (words: string) => {
    if (hidden === 0 && !isTitle) text += words;
  };
  const rewriter = new HTMLRewriter()
    .on('title', {
      element(element) {
        isTitle = true;
        element.onEndTag(() => {
          isTitle = false;
        });
      },
    })
    .on(leftOut, {
      element(element) {
        if (element.tagName === 'br') return;
        hidden += 1;
        element.onEndTag(() => {
          hidden -= 1;
        });
      },
    })
    .on('li', { element: () => add('\n- ') })
    .on('td, th', { element: () => add(' ') })
    .on(blocks, {
      element(element) {
        add('\n\n');
        if (!isVoid(element.tagName)) element.onEndTag(() => add('\n\n'));
      },
    });
  for (const [index, name] of headings.entries()) {
    rewriter.on(name, {
      element(element) {
        add(`\n\n${'#'.repeat(index + 1)} `);
        element.onEndTag(() => add('\n\n'));
      },
    });
  }
  rewriter.onDocument({
    text(chunk) {
      const words = decoded(chunk.text);
      if (isTitle) title += words;
      else add(words.replaceAll(/\s+/g, ' '));
    },
  });
  await rewriter.transform(new Response(html, { headers: { 'Content-Type': 'text/html' } })).arrayBuffer();
  return { title: title.replaceAll(/\s+/g, ' ').trim(), text: tidy(text) };
}

const isVoid = (tagName: string) => tagName === 'br' || tagName === 'hr';

const tidy = (text: string) =>
  text
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/(\n- *)+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  times: '×',
  middot: '·',
  bull: '•',
};

/** The rewriter leaves entities as they are written. Letters with accents under names of their own are rare by now. */
export function decoded(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
  });
}
