import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { seenContactsMax } from '../../../src/contract/contacts/contact.ts';
import { type Fact, workMax } from '../../../src/durable/event-log/facts.ts';
import { LogOutbox, logOutboxSql } from '../../../src/durable/hand-over/log-outbox.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { countOf, newLog, start } from '../event-log/event-log-fixture.ts';

const aliasOf = (index: number) => String(100_000_000_000_000 + index);
const phoneOf = (index: number) => String(628_100_000_000 + index);

/** An address book as a bridge tells of it, everybody by phone number and alias. */
const addressBook = (people: number): Fact[] =>
  Array.from({ length: Math.ceil(people / seenContactsMax) }, (_, part) => ({
    kind: 'contacts.listed',
    numberId: newUuid(),
    at: start,
    contacts: Array.from({ length: seenContactsMax }, (_, index) => part * seenContactsMax + index)
      .filter((index) => index < people)
      .map((index) => ({ phoneNumber: phoneOf(index), lid: aliasOf(index), name: `Person ${index}` })),
  }));

test('ten thousand contacts in one call: the log takes what a call may bear, says how much, and that much is in it', async () => {
  const log = newLog();
  const facts = addressBook(10_000);
  const { taken } = await log.take(facts);
  expect(taken).toBe(workMax / seenContactsMax);
  expect(await countOf(log, 'contacts')).toBe(workMax);
  expect(await log.take(facts.slice(taken))).toEqual({ taken });
  expect(await countOf(log, 'contacts')).toBe(2 * workMax);
  // One that is more than a call may bear by itself holds up nothing for ever.
  const contacts = facts.flatMap((fact) => (fact.kind === 'contacts.listed' ? fact.contacts : []));
  const large = { kind: 'contacts.listed', numberId: newUuid(), at: start, contacts } as const;
  expect(await log.take([{ ...large, contacts: contacts.slice(0, workMax + 1) }])).toEqual({ taken: 1 });
});

test('an address book comes to its end in calls that the log can bear, whatever its number tells in one change', async () => {
  const log = newLog();
  const calls: { facts: number; taken: number }[] = [];
  await runInDurableObject(env.ACCOUNT.getByName(newUuid()), async (_, { storage }) => {
    storage.sql.exec(logOutboxSql.replace('TABLE', 'TABLE IF NOT EXISTS'));
    const outbox = new LogOutbox(storage.sql, async (facts) => {
      const answer = await log.take(facts);
      calls.push({ facts: facts.length, taken: answer.taken });
      return answer;
    });
    const facts = addressBook(1_050);
    outbox.add(facts.slice(0, 5));
    for (const fact of facts.slice(5)) outbox.add([fact]);
    await outbox.flush();
    expect(outbox.isEmpty).toBe(true);
  });
  expect(await countOf(log, 'contacts')).toBe(1_050);
  expect(Math.max(...calls.map(({ taken }) => taken))).toBe(workMax / seenContactsMax);
  // What the log takes is forgotten: it is not told to it again.
  expect(calls.map(({ facts }) => facts)).toEqual([5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1]);
});
