/*
 * `node bench/inbox.ts [--people 10000] [--messages 100000] [--seconds 10]`: an inbox of that size in Chromium, over a gateway
 * with all its parts. How long do the log's lists take, how is it drawn, and what while 200 a second come in? See bench/README.md.
 */
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import type { InboundMessage } from '../src/contract/bridge/bridge-frames.ts';
import { waitUntil } from '../src/local/wait-until.ts';
import { chromiumPath } from '../test/browser/stage/chromium.ts';
import { ReportingBridge } from '../test/journeys/fleet/reporting-bridge.ts';
import { LocalRun, unlimited } from './bridge-side/local-run.ts';
import { framesOf, scroll } from './inbox/page-frames.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    messages: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
  },
});
const [people, before, seconds] = [Number(values.people), Number(values.messages), Number(values.seconds)];
if (![people, before, seconds].every((figure) => Number.isInteger(figure) && figure > 0)) {
  console.error('Give --people, --messages and --seconds of at least 1.');
  process.exit(2);
}
if (chromiumPath === null) throw new Error('There is no Chromium on this machine.');

/** Of all messages so many in a hundred are of one person: a chat of some thousand. */
const talkativePercent = 5;
const perSecond = 200;
const partsOfSecond = 10;
const asksOfEach = 20;
const launchArguments = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const words = [
  'invoice',
  'delivery',
  'tomorrow',
  'thanks',
  'address',
  'refund',
  'colour',
  'size',
  'when',
  'price',
];

const conversations = 'ul[aria-label="Conversations"]';
const rowsOf = (page: Page) => page.locator(`${conversations} a`);
const chat = (page: Page) => page.getByRole('region', { name: 'Messages' });
const table = 'ul[aria-label="Messages"]';

let made = 0;
const written = new Map<string, number>();
function message(person: number, at: number): InboundMessage {
  made += 1;
  const pushName = `Person ${person}`;
  written.set(pushName, (written.get(pushName) ?? 0) + 1);
  const said = [made, made / 10, made / 100]
    .map((index) => words[Math.floor(index) % words.length])
    .join(' ');
  return {
    providerMessageId: `SIZE${made}`,
    at: new Date(at).toISOString(),
    chatType: 'personal',
    from: String(15_550_000_000 + person),
    pushName,
    content: { type: 'text', text: `Message ${made}: ${said}` },
  };
}

function* earlier(from: number, to: number): Generator<InboundMessage> {
  const beginning = Date.now() - 10 * 86_400_000;
  for (let index = from; index < to; index += 1) {
    const isTalkative = index % 100 < talkativePercent;
    yield message(isTalkative ? 0 : index % people, beginning + (index * 9 * 86_400_000) / before);
  }
}

const run = await LocalRun.start(unlimited);
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  await run.discard();
}

async function measure(): Promise<boolean> {
  const { numberId } = await run.admin<{ numberId: string }>('POST', '/v1/numbers', { label: 'Busy' });
  const bridge = await ReportingBridge.open(run, {
    numberId,
    phone: '15559990001',
    pair: () => run.admin('POST', `/v1/numbers/${numberId}/pair`, { method: 'qr' }),
  });
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: launchArguments });
  try {
    const tenth = Math.floor(before / 10);
    for (const [from, to] of [
      [0, tenth],
      [tenth, before],
    ] as const) {
      const begunAt = performance.now();
      await bridge.report(earlier(from, to));
      const tookMs = performance.now() - begunAt;
      tell(`stored ${to} messages`, { perSecond: Math.round(((to - from) * 1000) / tookMs) });
      await run.refresh();
      await askLists(to);
    }
    const page = await browser.newPage({ baseURL: run.baseUrl, viewport: { width: 1440, height: 900 } });
    await readInbox(page);
    const isTrue = await underLoad(page, bridge);
    await readMessages(page);
    return isTrue;
  } finally {
    bridge.close();
    await browser.close();
  }
}

function tell(what: string, figures: object): void {
  console.log(`${what}: ${JSON.stringify(figures)}`);
}

/** What the log is asked by an inbox and by the table of messages. */
async function askLists(kept: number): Promise<void> {
  const talkative = await talkativeId();
  const far = await cursorAfter(5);
  const paths = {
    'conversations: first page': '/v1/conversations?status=open&limit=100',
    'conversations: page 6': `/v1/conversations?status=open&limit=100&cursor=${far}`,
    'conversations: unassigned': '/v1/conversations?status=open&assignee=none&limit=100',
    'conversations: longest waiting': '/v1/conversations?status=open&sort=waiting&limit=100',
    'conversations: by name': '/v1/conversations?q=Person%2042&limit=100',
    'conversations: counts': '/v1/conversations/counts',
    'chat: newest page': `/v1/conversations/${talkative}/messages?limit=100`,
    'search: rare word': `/v1/conversations/search?q=${made - 7}&limit=50`,
    'search: a word of every tenth message': '/v1/conversations/search?q=refund&limit=50',
    'messages: first page': '/v1/messages?limit=200',
    'messages: status that nothing has': '/v1/messages?status=failed&limit=200',
    'messages: words': '/v1/messages?q=refund&limit=200',
  };
  // The words that wait to be indexed are indexed before the first search.
  const indexedMs = await msOf(() => run.admin('GET', '/v1/messages?q=nothing'));
  tell('first search, which indexes what waits', { kept, ms: Math.round(indexedMs) });
  // In turns: whatever runs beside it hits all of them alike.
  const took = new Map(Object.keys(paths).map((what) => [what, [] as number[]]));
  for (let asked = 0; asked < asksOfEach; asked += 1) {
    for (const [what, path] of Object.entries(paths))
      took.get(what)?.push(await msOf(() => run.admin('GET', path)));
  }
  for (const [what, times] of took) {
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round((times[Math.floor((times.length - 1) * share)] ?? 0) * 10) / 10;
    tell(what, { kept, medianMs: at(0.5), leastMs: at(0), longestMs: at(1) });
  }
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}

interface Listed {
  data: { conversationId: string; contact: { pushName: string } | null; unreadCount: number }[];
  nextCursor: string | null;
}

async function talkativeId(): Promise<string> {
  const { data } = await run.admin<Listed>('GET', '/v1/conversations?q=15550000000');
  return data[0]?.conversationId ?? '';
}

async function cursorAfter(pages: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page += 1) {
    const next = cursor === '' ? '' : `&cursor=${cursor}`;
    const { nextCursor } = await run.admin<Listed>('GET', `/v1/conversations?status=open&limit=100${next}`);
    cursor = nextCursor ?? cursor;
  }
  return cursor;
}

async function signIn(page: Page, path: string): Promise<void> {
  const { email, password } = run.secrets.admin;
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function readInbox(page: Page): Promise<void> {
  await signIn(page, '/inbox');
  await rowsOf(page).first().waitFor();
  const reloadedMs = await msOf(async () => {
    await page.reload({ waitUntil: 'commit' });
    await rowsOf(page).first().waitFor();
  });
  tell('inbox, from the address to its list', { ms: Math.round(reloadedMs) });
  const far = 76 * 6_000;
  let came = 0;
  const frames = await framesOf(page, async () => {
    came = await scroll(page, conversations, 300, far);
  });
  tell('list, scrolled', { rows: Math.round(came / 76), ...frames });
  const opened: number[] = [];
  for (let index = 3; index < 13; index += 1) opened.push(await openedMs(page, index));
  opened.sort((a, b) => a - b);
  tell('conversation, from the click to its messages', {
    medianMs: Math.round(opened[5] ?? 0),
    longestMs: Math.round(opened.at(-1) ?? 0),
  });
  await page.goto(`/inbox/${await talkativeId()}`);
  await chat(page).locator('ol > li').first().waitFor();
  const chatFrames = await framesOf(page, async () => {
    came = await scroll(page, 'section[aria-label="Messages"] > ol', -300, 60 * 3_000);
  });
  tell('chat of thousands, scrolled up', { pixels: Math.round(Math.abs(came)), ...chatFrames });
  const box = page.getByRole('searchbox').first();
  for (const typed of ['Person 4321', 'refund thanks', String(Math.floor(before / 2))]) {
    const ms = await msOf(async () => {
      await box.fill(typed);
      await page.waitForURL((url) => url.searchParams.get('q')?.replaceAll('"', '') === typed);
      await page.getByRole('heading', { name: /^(In messages|No message has these words)$/ }).waitFor();
    });
    tell('search, from the last key to what was found', { typed, ms: Math.round(ms) });
  }
  await box.fill('');
  await page.waitForURL((url) => !url.searchParams.has('q'));
}

/** From the click on a row of the list to the first of its messages, as the page itself sees it. */
function openedMs(page: Page, index: number): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const row = document.querySelectorAll(${JSON.stringify(`${conversations} a`)})[${index}];
    const name = row.querySelector('[class*="name"]').textContent;
    const begunAt = performance.now();
    row.click();
    for (;;) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      const isIt = document.querySelector('main header h1[dir="auto"]')?.textContent === name;
      if (isIt && document.querySelector('section[aria-label="Messages"] ol > li')) return performance.now() - begunAt;
    }
  })()`);
}

/** Every conversation as the gateway has it, newest first. */
async function stored(): Promise<{ name: string; unreadCount: number }[]> {
  const all: { name: string; unreadCount: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: Listed = await run.admin('GET', `/v1/conversations?status=open&limit=200${next}`);
    all.push(
      ...page.data.map(({ contact, unreadCount }) => ({ name: contact?.pushName ?? '', unreadCount })),
    );
    cursor = page.nextCursor;
  }
  return all;
}

async function underLoad(page: Page, bridge: ReportingBridge): Promise<boolean> {
  await page.goto('/inbox');
  await rowsOf(page).first().waitFor();
  await run.refresh();
  let lastStoredMs = 0;
  const frames = await framesOf(page, async () => {
    const told: Promise<void>[] = [];
    const begunAt = performance.now();
    for (let part = 0; part < seconds * partsOfSecond; part += 1) {
      const due = begunAt + (part * 1000) / partsOfSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const at = Date.now();
      const count = perSecond / partsOfSecond;
      const some = Array.from({ length: count }, (_, index) =>
        message((part * 7919 + index * 37) % people, at),
      );
      told.push(
        bridge.report(some).then(() => {
          lastStoredMs = Math.round(performance.now() - due);
        }),
      );
    }
    await Promise.all(told);
  });
  const shownMs = await msOf(() =>
    page.locator(conversations).getByText(`Message ${made}:`).waitFor({ timeout: 60_000 }),
  );
  tell('200 a second', { seconds, lastStoredMs, lastShownMs: Math.round(shownMs), ...frames });
  await run.refresh();
  const all = await stored();
  const missed = all.filter(({ name, unreadCount }) => written.get(name) !== unreadCount);
  // Those that were opened have been read.
  const isNone = missed.length <= 12 && all.length === written.size;
  const wanted = all.slice(0, 100).map(({ name }) => name);
  await waitUntil('The list did not become true', 30_000, async () =>
    (await topOf(page, wanted.length)).join() === wanted.join() ? true : null,
  );
  tell('after it', { conversations: all.length, otherThanWritten: missed.length, listIsTrue: true });
  return isNone;
}

/** The names at the top of the list, by their places. */
async function topOf(page: Page, count: number): Promise<string[]> {
  const names = await page.evaluate<[number, string][]>(`(async () => {
    const ul = document.querySelector(${JSON.stringify(conversations)});
    const found = new Map();
    ul.parentElement.scrollTop = 0;
    for (let step = 0; found.size < ${count} && step < 60; step += 1) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      for (const row of ul.children) {
        const place = Number(/translateY\\((\\d+)px\\)/.exec(row.style.transform)?.[1]);
        const name = row.querySelector('[class*="name"]')?.textContent;
        if (name) found.set(place, name);
      }
      ul.parentElement.scrollTop += ul.parentElement.clientHeight / 2;
    }
    ul.parentElement.scrollTop = 0;
    return [...found];
  })()`);
  return names
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, name]) => name);
}

async function readMessages(page: Page): Promise<void> {
  await page.goto('/messages');
  await page.locator(`${table} > li`).first().waitFor();
  const reloadedMs = await msOf(async () => {
    await page.reload({ waitUntil: 'commit' });
    await page.locator(`${table} > li`).first().waitFor();
  });
  tell('messages, from the address to the table', { ms: Math.round(reloadedMs) });
  let came = 0;
  const frames = await framesOf(page, async () => {
    came = await scroll(page, table, 600, 36 * 50_000);
  });
  tell('messages, scrolled', { rows: Math.round(came / 36), ...frames });
  const box = page.getByRole('searchbox').first();
  for (const typed of ['refund thanks', `${Math.floor(before / 2)}`]) {
    const ms = await msOf(async () => {
      await box.fill(typed);
      await page.waitForURL((url) => url.searchParams.get('q')?.replaceAll('"', '') === typed);
      await page
        .locator(`${table} > li`)
        .filter({ hasText: typed.split(' ')[0] })
        .first()
        .waitFor();
    });
    tell('messages, from the last key to what was found', { typed, ms: Math.round(ms) });
  }
  await box.fill('');
  await page.waitForURL((url) => !url.searchParams.has('q'));
  for (const status of ['failed', 'received']) {
    const ms = await msOf(async () => {
      await page.getByRole('combobox', { name: 'Status' }).selectOption(status);
      await (status === 'failed'
        ? page.getByText('No message fits').waitFor()
        : page.locator(`${table} > li`).first().waitFor());
    });
    tell('messages, filtered', { status, ms: Math.round(ms) });
  }
}
