import { writeFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import { ReportingBridge } from '../../journeys/fleet/reporting-bridge.ts';
import { waitUntil } from '../../wait-until.ts';
import { type Person, Stage } from '../stage/stage.ts';
import { list, messages } from './inbox-stage.ts';

const stage = Stage.openOwn();

/** More of them where somebody wants to look: 10000 and 100000. */
const people = Number(process.env.INBOX_PEOPLE ?? 300);
const before = Number(process.env.INBOX_MESSAGES ?? 600);
/** What comes while the inbox is open, as fast as the gateway stores it: more than 200 a second where nothing else runs. */
const waves = Number(process.env.INBOX_WAVES ?? 20);
const waveOf = 40;
/** Of all that is drawn, however many conversations there are. */
const elementsMost = 1_500;

let made = 0;
/** Messages of each in this account. */
const written = new Map<string, number>();
function message(person: number, at: number): InboundMessage {
  made += 1;
  const pushName = `Person ${person}`;
  written.set(pushName, (written.get(pushName) ?? 0) + 1);
  return {
    providerMessageId: `BUSY${made}`,
    at: new Date(at).toISOString(),
    chatType: 'personal',
    from: String(15_550_000_000 + person),
    pushName,
    content: { type: 'text', text: `Message ${made}` },
  };
}

function* earlier(): Generator<InboundMessage> {
  const beginning = Date.now() - 86_400_000;
  for (let index = 0; index < before; index += 1)
    yield message(index % people, beginning + (index * 80_000_000) / before);
}

/** As the gateway has them, newest first. */
async function stored(ada: Person): Promise<{ name: string; unreadCount: number }[]> {
  const all: { name: string; unreadCount: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof conversationsOf>> = await conversationsOf(ada, cursor);
    all.push(
      ...page.data.map(({ contact, unreadCount }) => ({ name: contact?.pushName ?? '', unreadCount })),
    );
    cursor = page.nextCursor;
  }
  return all;
}
const conversationsOf = (ada: Person, cursor: string) =>
  ada.call<{
    data: { contact: { pushName: string } | null; unreadCount: number }[];
    nextCursor: string | null;
  }>('GET', `/v1/conversations?status=open&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);

interface Scrolled {
  names: string[];
  elementsMost: number;
  /** Milliseconds between two frames, the longest first. */
  frames: number[];
}

/** Scrolls the list to its end, half a screen at a time, as fast as it is drawn. Runs in the page. */
const scrollThrough = `async (ul, expected) => {
  const scroller = ul.parentElement;
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const names = new Map();
  const frames = [];
  let elementsMost = 0;
  scroller.scrollTop = 0;
  let last = await frame();
  const deadline = last + 120_000;
  while (names.size < expected && last < deadline) {
    const now = await frame();
    frames.push(now - last);
    last = now;
    for (const row of ul.children) {
      const place = Number(/translateY\\((\\d+)px\\)/.exec(row.style.transform)?.[1]);
      const name = row.querySelector('[class*="name"], [class*="_text_"]')?.textContent;
      if (name) names.set(place, name);
    }
    elementsMost = Math.max(elementsMost, document.querySelectorAll('*').length);
    scroller.scrollTop += scroller.clientHeight / 2;
  }
  scroller.scrollTop = 0;
  const inOrder = [...names].sort(([a], [b]) => a - b).map(([, name]) => name);
  return { names: inOrder, elementsMost, frames: frames.sort((a, b) => b - a) };
}`;
const scrolled = (ul: Locator, expected: number): Promise<Scrolled> =>
  ul.evaluate(
    new Function('ul', `return (${scrollThrough})(ul, ${expected})`) as (ul: unknown) => Promise<Scrolled>,
  );

const figuresOf = ({ frames, elementsMost: elements }: Scrolled) => ({
  frames: frames.length,
  longestMs: frames[0],
  p95Ms: frames[Math.floor(frames.length * 0.05)],
  elements,
});
/** Only where somebody wants to look: what a frame takes is the machine's matter too. */
function tell(what: string, figures: object): void {
  const folder = process.env.INBOX_FIGURES;
  if (folder === undefined) return;
  writeFileSync(`${folder}/${what}.json`, JSON.stringify({ people, before, ...figures }, null, 2));
}

/** Somebody whose account has taken in what was written before; `bridge` reports what is written now. */
async function busyAccount(
  phone: string,
): Promise<{ ada: Person; bridge: ReportingBridge; filledMs: number }> {
  written.clear();
  const ada = await stage.newPerson();
  const { numberId } = await ada.call<{ numberId: string }>('POST', '/v1/numbers', { label: 'Busy' });
  const bridge = await ReportingBridge.open(stage.gateway, {
    numberId,
    phone,
    pair: () => ada.call('POST', `/v1/numbers/${numberId}/pair`, { method: 'qr' }),
  });
  const begunAt = performance.now();
  await bridge.report(earlier());
  return { ada, bridge, filledMs: Math.round(performance.now() - begunAt) };
}

test('while hundreds write at once nobody is missed, the list is true, and only what is on screen is drawn', async () => {
  const { ada, bridge, filledMs } = await busyAccount('15559990001');
  try {
    const page = await ada.open('/inbox');
    await list(page).getByText(`Message ${before}`, { exact: true }).waitFor();
    const calm = await scrolled(list(page), people);
    expect(calm.names).toEqual((await stored(ada)).map(({ name }) => name));
    expect(calm.elementsMost).toBeLessThan(elementsMost);
    tell('inbox', { filledMs, ...figuresOf(calm) });
    // Somebody works in a chat while the others write.
    await list(page).getByText(`Message ${before}`, { exact: true }).click();
    await messages(page).getByText(`Message ${before}`, { exact: true }).waitFor();
    const beganAt = performance.now();
    for (let wave = 0; wave < waves; wave += 1) {
      const at = Date.now();
      await bridge.report(
        Array.from({ length: waveOf }, (_, index) => message((wave * 7919 + index * 37) % people, at)),
      );
    }
    const perSecond = Math.round((waves * waveOf * 1000) / (performance.now() - beganAt));
    await list(page).getByText(`Message ${made}`, { exact: true }).waitFor();
    // Of everybody all is there, but for the one whose chat is open.
    const missed = (await stored(ada)).filter(({ name, unreadCount }) => written.get(name) !== unreadCount);
    expect(missed.length).toBeLessThanOrEqual(1);
    const after = await waitUntil('The list did not become true', async () => {
      const shown = await scrolled(list(page), people);
      const wanted = (await stored(ada)).map(({ name }) => name);
      return shown.names.join() === wanted.join() ? shown : null;
    });
    expect(after.elementsMost).toBeLessThan(elementsMost);
    tell('inbox-after', { perSecond, ...figuresOf(after) });
  } finally {
    bridge.close();
  }
});

test('a table of thousands of messages is scrolled to its end, and filtered; only what is on screen is drawn', async () => {
  const { ada, bridge } = await busyAccount('15559990002');
  bridge.close();
  const page = await ada.open('/messages');
  const table = page.getByRole('list', { name: 'Messages' });
  const [newest, oldest] = [`Message ${made}`, `Message ${made - before + 1}`];
  await table.getByText(newest, { exact: true }).waitFor();
  const shown = await scrolled(table, before);
  expect([shown.names.length, shown.names[0], shown.names.at(-1)]).toEqual([before, newest, oldest]);
  expect(shown.elementsMost).toBeLessThan(elementsMost);
  tell('messages', figuresOf(shown));
  await page.getByRole('searchbox').fill(oldest);
  await table.getByText(oldest, { exact: true }).waitFor();
  await expect.poll(() => table.getByRole('listitem').count()).toBe(1);
});
