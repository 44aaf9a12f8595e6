import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { type LogStub, newLog, received } from '../event-log/event-log-fixture.ts';

const phone = (index: number) => `62812345678${index}`;

async function contactWith(log: LogStub, index: number, labels: string[]) {
  const made = await log.createContact(newUuid(), phone(index), { labels });
  if (!('contactId' in made)) throw new Error('it was refused');
  return made;
}

const found = async (log: LogStub, ...labels: string[]) =>
  (await log.contacts({ labels }, 9, null)).contacts.map(({ phoneNumber }) => phoneNumber).toSorted();

const about = { consentSource: 'fair', fileName: null, defaultCountry: null, mapping: {}, shape: null };

/** As code stored it that took each spelling for a label of its own. */
const storeSpelling = (log: LogStub, from: string, to: string) =>
  runInDurableObject(log, (_, { storage }) => {
    for (const table of ['contact', 'conversation']) {
      storage.sql.exec(`UPDATE ${table}_labels SET label = ? WHERE label = ?`, to, from);
      storage.sql.exec(`UPDATE ${table}s SET labels = replace(labels, ?, ?)`, from, to);
    }
    storage.sql.exec('DELETE FROM label_spellings');
  });

describe('labels of contacts that differ by case alone are one', () => {
  test('which has the spelling that somebody had first, however it is given and searched for', async () => {
    const log = newLog();
    expect((await contactWith(log, 1, ['Árbol', 'ÁRBOL'])).labels).toEqual(['Árbol']);
    expect((await contactWith(log, 2, ['vip', 'árbol'])).labels).toEqual(['vip', 'Árbol']);
    const person = { phoneNumber: phone(3), labels: ['VIP'], attributes: {} };
    await log.importContacts(
      newUuid(),
      { ...about, labels: ['aRBOL', 'árBOL'] },
      [{ row: 1, contact: person }],
      [],
    );
    expect(await log.contactsAt([phone(3)])).toMatchObject([{ labels: ['aRBOL', 'Árbol', 'vip'] }]);
    expect(await found(log, 'VIP')).toEqual([phone(2), phone(3)]);
    expect(await found(log, 'vIp', 'ÁRBOL')).toEqual([phone(2), phone(3)]);
    expect(await log.contactLabels()).toEqual(['aRBOL', 'vip', 'Árbol']);
    expect(await log.audience({ label: 'VIP' }, null, 9, 'all')).toMatchObject({ members: [{}, {}] });
  });

  test('and has another spelling once nobody has the first one any more', async () => {
    const log = newLog();
    const { contactId } = await contactWith(log, 1, ['vpi']);
    expect(await log.changeContact(contactId, { labels: ['VPI'] })).toMatchObject({ labels: ['vpi'] });
    await log.changeContact(contactId, { labels: [] });
    expect(await log.changeContact(contactId, { labels: ['VPI'] })).toMatchObject({ labels: ['VPI'] });
    expect(await found(log, 'vpi')).toEqual([phone(1)]);
  });

  test('also where each was stored as a label of its own: all are found, each once, a page at a time', async () => {
    const log = newLog();
    await contactWith(log, 1, ['vip', 'other']);
    await contactWith(log, 2, ['other']);
    await contactWith(log, 3, ['vip']);
    await storeSpelling(log, 'other', 'VIP');
    expect(await found(log, 'Vip')).toEqual([phone(1), phone(2), phone(3)]);
    const first = await log.contacts({ labels: ['vip'] }, 2, null);
    expect(first.contacts.map(({ phoneNumber }) => phoneNumber)).toEqual([phone(3), phone(2)]);
    const rest = await log.contacts({ labels: ['vip'] }, 2, first.next);
    expect(rest).toMatchObject({ contacts: [{ phoneNumber: phone(1) }], next: null });
    expect(await log.contactLabels()).toEqual(['VIP']);
    const [last] = await log.contactsAt([phone(3)]);
    expect(await log.changeContact(last?.contactId ?? '', { labels: ['vip'] })).toMatchObject({
      labels: ['VIP'],
    });
  });
});

test('labels of conversations are compared without case too, when they are set, taken away and searched for', async () => {
  const log = newLog();
  const numberId = newUuid();
  const by = { kind: 'system' } as const;
  const ids: string[] = [];
  for (const index of [1, 2]) {
    await log.take([received({ from: phone(index) }, numberId)]);
    ids.push((await log.conversationOf({ numberId, phoneNumber: phone(index) }))?.conversationId ?? '');
  }
  const [one = '', other = ''] = ids;
  const change = async (id: string, changes: Parameters<LogStub['changeConversation']>[1]) =>
    (await log.changeConversation(id, changes, by))?.labels;
  const listed = async (label: string) => {
    const asked = { label, hiddenNumberIds: [], sort: 'newest', limit: 9, after: null } as const;
    return (await log.conversationPage(asked)).conversations.map(({ conversationId }) => conversationId);
  };
  expect(await change(one, { labels: ['Urgent'] })).toEqual(['Urgent']);
  expect(await change(other, { addLabels: ['URGENT', 'new'] })).toEqual(['Urgent', 'new']);
  expect(await listed('urgent')).toEqual([other, one]);
  expect(await change(other, { removeLabels: ['uRGENT'] })).toEqual(['new']);
  await change(other, { addLabels: ['urgent'] });
  await storeSpelling(log, 'new', 'URGENT');
  expect(await listed('urgent')).toEqual([other, one]);
});
