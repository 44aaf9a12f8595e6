import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { alertKindNames } from '../../src/contract/alerts/alerts.ts';
import { erasureRemains } from '../../src/contract/contacts/erasure.ts';
import { errorStatus } from '../../src/contract/errors.ts';
import { eventNames } from '../../src/contract/events.ts';
import { keyScopes } from '../../src/contract/key-scopes.ts';
import { messageErrors } from '../../src/contract/messages/message.ts';
import { networkRefusals, type RefusalWeight } from '../../src/contract/messages/send-refusals.ts';

/*
 * The guide's tables are written by hand: here they are held to what the gateway does.
 */

/** The cells of the first column that has code in it, of a page of the guide. */
function tableCodes(page: string): string[] {
  const text = readFileSync(new URL(`../../docs/guide/${page}.md`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => /`([^`]+)`/.exec(line)?.[1] ?? []);
}

test('the guide tells every error code, with its status', () => {
  const text = readFileSync(new URL('../../docs/guide/errors.md', import.meta.url), 'utf8');
  for (const [code, status] of Object.entries(errorStatus))
    expect(text).toContain(`| ${status} | \`${code}\` |`);
  const told = tableCodes('errors').filter((code) => /^[A-Z_]+$/.test(code));
  expect(told.sort()).toEqual(Object.keys(errorStatus).sort());
});

test('the guide tells why a message may fail, every event and every scope', () => {
  expect(tableCodes('errors')).toEqual(expect.arrayContaining(Object.keys(messageErrors)));
  expect(tableCodes('webhooks').filter((code) => /^[a-z]+\.[a-z_]+$/.test(code))).toEqual([...eventNames]);
  expect(tableCodes('scopes')).toEqual([...keyScopes]);
});

test('the guide tells every code of the network, and whether it weighs on the number', () => {
  const text = readFileSync(new URL('../../docs/guide/errors.md', import.meta.url), 'utf8');
  const weights: Record<RefusalWeight, string> = {
    nothing: 'no',
    failure: 'yes',
    rest: 'yes, at once',
    restriction: 'new chats only',
  };
  const rows = Object.entries(networkRefusals).map(
    ([code, { sentence, weight, because }]) =>
      `| \`network_${code}\` | ${sentence.replace(` (${code})`, '')} | ${weights[weight]} | ${because} |`,
  );
  const told = text.split('\n').filter((line) => /^\| `network_\d/.test(line));
  expect(told).toEqual(rows);
});

test('the guide tells what remains of a person who was erased', () => {
  expect(
    tableCodes('contacts').filter((code) => (erasureRemains as readonly string[]).includes(code)),
  ).toEqual([...erasureRemains]);
});

test('the guide tells every kind of alert', () => {
  const told = readFileSync(new URL('../../docs/guide/alerts.md', import.meta.url), 'utf8');
  for (const kind of alertKindNames) expect(told).toContain(`\`${kind}\``);
});

test('no page has both sides of a change that two people made', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'bench/*.md', 'deploy/**/*.md'], { cwd });
  expect(pages).toContain('docs/guide/first-message.md');
  const marked = pages.filter((page) => /^(<{7}|>{7}) /m.test(readFileSync(`${cwd}/${page}`, 'utf8')));
  expect(marked).toEqual([]);
});
