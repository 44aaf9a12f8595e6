import { expect, test } from 'vitest';
import type { SeenContact } from '../../../src/contract/contacts/contact.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();

const version = 'app-state-sync-version/';
const isSynced = (key: string) => key.startsWith('first-sync/');
const listedBy = (number: FakeNumber): SeenContact[] =>
  number.factsOf('contacts.listed').flatMap(({ contacts }) => contacts);

test('the address book of a phone is told after the pairing, each with phone number, alias and name', async () => {
  const phone = newPhone();
  const contacts = Array.from({ length: 250 }, (_, index) => ({
    phoneNumber: newPhone(),
    name: `Person ${index}`,
  }));
  await stage.admin('POST', `phones/${phone}/contacts`, { contacts });
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  const named = () => listedBy(number).filter(({ name }) => name !== undefined);
  await stage.edge.until('all are told', () => named().length >= contacts.length);
  const told = new Map(named().map((contact) => [contact.phoneNumber, contact]));
  for (const { phoneNumber, name } of contacts) {
    expect(told.get(phoneNumber)).toEqual({ phoneNumber, name, lid: expect.stringMatching(/^\d+$/) });
  }
  for (const fact of number.factsOf('contacts.listed')) expect(fact.contacts.length).toBeLessThanOrEqual(100);
});

test('contacts are told before the version of the address book that brings them, so that no crash comes between: after a pairing, as they change, and after an absence', async () => {
  const phone = newPhone();
  const save = (name: string) =>
    stage.admin('POST', `phones/${phone}/contacts`, { contacts: [{ phoneNumber: newPhone(), name }] });
  const told = (number: FakeNumber) => {
    const all = number.facts.flatMap((fact) => {
      if (fact.type === 'contacts.listed') return fact.contacts.flatMap(({ name }) => name ?? []);
      const isVersion = fact.type === 'vault.put' && fact.entries.some(({ key }) => key.startsWith(version));
      return isVersion ? [version] : [];
    });
    return all.filter((what, index) => what !== all[index - 1]);
  };
  await save('Before');
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  const areTold = (expected: string[]) =>
    stage.edge.until(`${expected}`, () => told(number).length >= expected.length);
  await areTold(['Before', version]);
  await stage.edge.until('its settings are fetched', () => [...number.vault.keys()].some(isSynced));
  await save('Meanwhile');
  await areTold(['Before', version, 'Meanwhile', version]);
  number.want({ type: 'session.stop', logout: false });
  await stage.edge.until('it is disconnected', () => number.factsOf('session.disconnected').length > 0);
  await save('In its absence');
  number.want({ type: 'session.start' });
  await areTold(['Before', version, 'Meanwhile', version, 'In its absence', version]);
  expect(told(number)).toEqual(['Before', version, 'Meanwhile', version, 'In its absence', version]);
});

test('a contact that a bridge has acknowledged when its lease was over is told by the next bridge, which fetches what has changed once', async () => {
  const [first, next] = [
    await stage.startBridge(await stage.newHome()),
    await stage.startBridge(await stage.newHome(), { settingsAfterMs: 10 }),
  ];
  const { number, phone } = await stage.pairedNumber(first.bridgeId);
  await stage.edge.until('its settings are fetched', () => [...number.vault.keys()].some(isSynced));
  const refused: string[] = [];
  number.refuses = ({ type }) => {
    const isOwn = type === 'vault.put' || type === 'contacts.listed';
    if (isOwn) refused.push(type);
    return isOwn;
  };
  const contact = { phoneNumber: newPhone(), name: 'A Friend' };
  await stage.admin('POST', `phones/${phone}/contacts`, { contacts: [contact] });
  await stage.edge.until('it is refused', () => refused.includes('contacts.listed'));
  await stage.edge.takeAway(number);
  number.refuses = () => false;
  stage.edge.grant(number, next.bridgeId);
  await stage.edge.until('it is told', () => listedBy(number).some(({ name }) => name === contact.name));
  const asked = async () =>
    (await stage.admin<{ queries: Record<string, number> }>('GET', `phones/${phone}`)).queries[
      'w:sync:app:state'
    ];
  const before = await asked();
  await stage.admin('POST', `devices/${phone}/drop`);
  const connections = number.factsOf('session.connected').length;
  await stage.edge.until('it comes back', () => number.factsOf('session.connected').length > connections);
  const [message] = number.send({ to: newPhone(), text: 'still here' });
  await stage.edge.until('it is sent', () => message && number.outcomeOf(message));
  expect(await asked()).toBe(before);
});
