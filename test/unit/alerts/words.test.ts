import { expect, test } from 'vitest';
import { alertKindNames } from '../../../src/contract/alerts/alerts.ts';
import type { ToldAlert } from '../../../src/durable/event-log/alerts/deliveries/alert-order.ts';
import { alertLetter } from '../../../src/worker/features/alerts/words/alert-letter.ts';
import { alertText } from '../../../src/worker/features/alerts/words/alert-text.ts';
import {
  discordMessage,
  slackMessage,
  telegramMessage,
} from '../../../src/worker/features/alerts/words/chat-messages.ts';

const at = Date.UTC(2026, 0, 31, 9, 30);
const told = (more: Partial<ToldAlert> = {}): ToldAlert => ({
  id: crypto.randomUUID(),
  kind: 'device.banned',
  subject: 'number:n1',
  at,
  detail: {},
  endedAt: null,
  acknowledgedBy: null,
  ...more,
});
const names = (label = 'Support desk') => ({
  names: new Map([['number:n1', label]]),
  accountName: 'Example Ltd',
  baseUrl: 'https://gateway.example.com',
});

test('one alert says what, since when, what to do and where', () => {
  const { subject, lines, link } = alertText('raised', [told()], names());
  expect(subject).toBe('Support desk was banned by the network (Example Ltd)');
  expect(lines).toEqual([
    {
      title: 'Support desk was banned by the network',
      when: 'Since 2026-01-31 09:30 UTC',
      todo: expect.stringMatching(/^Nothing can be sent/),
      link: 'https://gateway.example.com/numbers/n1',
      isOver: false,
    },
  ]);
  expect(link).toBe('https://gateway.example.com/alerts');
});

test.each([
  [0, 'there is no session bridge for them'],
  [2, 'no session bridge has room for them'],
])('numbers that wait for any bridge, with %s there, are told of with the reason', (bridges, why) => {
  const alert = told({ kind: 'bridge.lost', subject: 'region:weur', detail: { numbers: 3, bridges } });
  const { lines } = alertText('raised', [alert], names());
  expect(lines[0]?.title).toBe('Numbers are waiting for a session bridge');
  expect(lines[0]?.todo).toContain(`3 numbers are offline: ${why}.`);
  const one = alertText('raised', [{ ...alert, detail: { numbers: 1, bridges } }], names());
  expect(one.lines[0]?.todo).toContain('One number is offline');
});

test('forty numbers are one subject, with lines for the first of them', () => {
  const text = alertText(
    'raised',
    Array.from({ length: 40 }, () => told()),
    names(),
  );
  expect(text.subject).toBe('40 numbers were banned by the network (Example Ltd)');
  expect({ lines: text.lines.length, more: text.more }).toEqual({ lines: 25, more: 15 });
});

test('what is over says so, and for how long it lasted', () => {
  const { subject, lines } = alertText('ended', [told({ endedAt: at + 300_000 })], names());
  expect(subject).toBe('Resolved: Support desk was banned by the network (Example Ltd)');
  expect(lines[0]).toMatchObject({
    when: 'Since 2026-01-31 09:30 UTC, resolved after 5 minutes',
    todo: '',
    isOver: true,
  });
});

test.each(alertKindNames)('%s has a sentence without gaps, also where nothing is known of it', (kind) => {
  const bare = alertText('raised', [told({ kind, subject: 'thing:1' })], { ...names(), baseUrl: null });
  expect(bare.subject).not.toMatch(/undefined|null/);
  expect(bare.lines[0]?.todo).not.toMatch(/undefined|null/);
  expect(bare.lines[0]?.link).toBeNull();
});

const evil = '<script>alert("1")</script> <!channel> @everyone *b*\r\nBcc: victim@example.com';

test('a name is text everywhere: in HTML, in markup, and in the line of a subject', () => {
  const text = alertText('raised', [told()], names(evil));
  const letter = alertLetter('ada@example.com', text, false);
  expect(letter.subject).not.toMatch(/[\r\n]/);
  expect(letter.html).not.toContain('<script>');
  expect(letter.html).toContain('&lt;script&gt;');
  const slack = JSON.stringify(slackMessage(text, false));
  expect(slack).not.toContain('<!channel>');
  expect(slack).toContain('&lt;!channel&gt;');
  const discord = discordMessage(text, false);
  expect(discord.allowed_mentions).toEqual({ parse: [] });
  expect(discord.content).toContain(String.raw`\*b\*`);
});

test('each chat app gets no more than it takes', () => {
  const long = Array.from({ length: 100 }, () => told({ subject: 'number:n1' }));
  const text = alertText('raised', long, names('x'.repeat(100)));
  expect(slackMessage(text, false).blocks.length).toBeLessThanOrEqual(50);
  expect(discordMessage(text, false).content.length).toBeLessThanOrEqual(2_000);
  expect(telegramMessage('-1', text, false).text.length).toBeLessThanOrEqual(4_096);
});

test('a mail says why it comes and where to change that, as text and as HTML', () => {
  const { text, html } = alertLetter('ada@example.com', alertText('raised', [told()], names()), false);
  for (const body of [text, html]) {
    expect(body).toContain('Support desk was banned by the network');
    expect(body).toContain('https://gateway.example.com/numbers/n1');
    expect(body).toContain('https://gateway.example.com/alerts/channels');
  }
});
