// Makes the pages of /docs: the guide from docs/guide/*.md, and the frame of the reference beside it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';

/** The pages in reading order, and what their cards say. A page's name is its address under /docs. */
const guide = [
  {
    part: 'Send',
    pages: [
      ['first-message', 'From sign-up to your first message.'],
      ['numbers', 'Which number sends, its health and its pacing.'],
      ['kinds', 'Locations, contact cards and polls. Edits, deletions and reactions.'],
      ['files', 'Send and receive images, videos, voice notes and documents.'],
      ['groups', 'Create, manage and message groups.'],
      ['contacts', 'Your contacts, segments and opt-outs.'],
    ],
  },
  {
    part: 'Receive events',
    pages: [
      ['webhooks', 'Get every event on your server, signed.'],
      ['receivers', 'Sample receivers in three languages.'],
      ['events', 'Read all events in order, from any point.'],
      ['alerts', 'Get notified when something needs attention.'],
    ],
  },
  {
    part: 'Conversations',
    pages: [
      ['inbox', 'Your team replies, together and on time.'],
      ['campaigns', 'One message to many people, once each.'],
      ['automations', 'Rules and AI assistants that reply automatically.'],
    ],
  },
  {
    part: 'Reference',
    pages: [
      ['errors', 'What each code means, and what to do.'],
      ['limits', 'Quotas, rates and sizes.'],
      ['roles', 'What each role can do.'],
      ['scopes', 'What an API key can do.'],
    ],
  },
];

/** File name → HTML. */
export function* guidePages(guideFolder, templateFolder) {
  const template = (name) => readFileSync(path.join(templateFolder, name), 'utf8');
  const shell = template('shell.html');
  const parts = guide.map(({ part, pages }) => ({
    part,
    pages: pages.map(([name, card]) => ({
      name,
      card,
      ...rendered(readFileSync(path.join(guideFolder, `${name}.md`), 'utf8')),
    })),
  }));
  const pages = parts.flatMap((part) => part.pages);

  for (const [index, page] of pages.entries()) {
    yield [
      `${page.name}.html`,
      filled(shell, {
        title: `${page.title} · Heliograph`,
        head: `<link rel="stylesheet" href="/docs/tokens.css" />
    <link rel="stylesheet" href="/docs/docs.css" />
    <script type="module" src="/docs/guide.js"></script>`,
        action: '',
        guide: guideLinks(parts, page),
        reference: `<ul>
          <li><a href="/docs#api-reference">Every call</a></li>
          <li><a href="/openapi.json">openapi.json</a></li>
        </ul>`,
        content: `<article class="prose">
${page.html}
${neighbours(pages[index - 1], pages[index + 1])}
        </article>`,
      }),
    ];
  }
  const cards = parts.map(
    ({ part, pages }) => `<h2 class="part">${part}</h2>
  <ul class="cards">
    ${pages.map(card).join('\n    ')}
  </ul>`,
  );
  yield [
    'index.html',
    filled(shell, {
      title: 'Heliograph: guide and API reference',
      head: `<link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/tokens.css" />
    <link rel="stylesheet" href="/docs/docs.css" />
    <link rel="stylesheet" href="/docs/reference.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script type="module" src="/docs/guide.js"></script>
    <script type="module" src="/docs/reference.js"></script>`,
      action: '<button id="open-credentials" type="button" hidden><span>Credentials</span></button>',
      guide: guideLinks(parts),
      reference: `<input id="find-operation" type="search" placeholder="Find a call" aria-label="Find a call" />
        <div id="operations"></div>`,
      content: filled(template('reference.html'), { cards: cards.join('\n  ') }),
    }),
  ];
}

const card = ({ name, title, card: says }) =>
  `<li><a href="/docs/${name}"><strong>${title}</strong><span>${says}</span></a></li>`;

function guideLinks(parts, current) {
  const link = (page) => {
    if (page !== current) return `<li><a href="/docs/${page.name}">${page.title}</a></li>`;
    const headings = page.headings.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join('');
    return `<li><a href="/docs/${page.name}" aria-current="page">${page.title}</a><ul>${headings}</ul></li>`;
  };
  return parts
    .map(
      ({ part, pages }) => `<h2>${part}</h2>
        <ul>
          ${pages.map(link).join('\n          ')}
        </ul>`,
    )
    .join('\n        ');
}

function neighbours(before, after) {
  const links = [
    before && `<a rel="prev" href="/docs/${before.name}">← ${before.title}</a>`,
    after && `<a rel="next" href="/docs/${after.name}">${after.title} →</a>`,
  ];
  return `<nav class="next" aria-label="Next pages">${links.filter(Boolean).join('')}</nav>`;
}

function rendered(markdown) {
  const headings = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = html;
          return `<h1>${html}</h1>\n`;
        }
        const id = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
        headings.push({ id, html });
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
      },
      code({ text }) {
        // A keyboard has to reach what scrolls.
        return `<div class="example"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`;
      },
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="table" tabindex="0" role="region" aria-label="Table"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  const html = marked.parse(markdown);
  return { title, headings, html };
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const filled = (template, values) => template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
