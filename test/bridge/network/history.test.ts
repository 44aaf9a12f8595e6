import { expect, test } from 'vitest';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

const hasEntry = (number: FakeNumber, type: string) =>
  [...number.vault.keys()].some((key) => key.startsWith(`${type}/`));
const told = (number: FakeNumber) => number.factsOf('contacts.listed').flatMap(({ contacts }) => contacts);

test('a history that the phone has put into files is downloaded: names, aliases and the salt arrive', async () => {
  const [phone, friend] = [newPhone(), newPhone()];
  await stage.admin('PATCH', `phones/${friend}`, { name: 'A friend of the shop' });
  await stage.admin('PATCH', `phones/${phone}`, { sharesByDownload: true });
  await stage.admin('PATCH', `devices/${phone}`, { needsTokens: true });
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  await until('the salt is kept', () => hasEntry(number, 'privacy-salt'));
  await until('the names are told', () =>
    told(number).some(
      ({ phoneNumber, pushName }) => phoneNumber === friend && pushName === 'A friend of the shop',
    ),
  );
  const [message] = number.send({ to: newPhone(), text: 'hello' });
  await until('it has an outcome', () => message && number.outcomeOf(message));
  expect(message && number.outcomeOf(message)).toMatchObject({ outcome: 'sent' });
});

test('settings that stand in files are downloaded: the first ones in one piece, later ones as they change', async () => {
  const [phone, friend, later] = [newPhone(), newPhone(), newPhone()];
  const save = (phoneNumber: string, name: string) =>
    stage.admin('POST', `phones/${phone}/contacts`, { contacts: [{ phoneNumber, name }] });
  const isListed = (number: FakeNumber, wanted: string, as: string) =>
    told(number).some(({ phoneNumber, name }) => phoneNumber === wanted && name === as);
  await stage.admin('PATCH', `phones/${phone}`, { sharesByDownload: true, saltInHistory: false });
  await save(friend, 'Before');
  await save(friend, 'A Friend');
  await stage.admin('POST', `phones/${phone}/salt`);
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  await until('the settings are fetched', () => hasEntry(number, 'first-sync'));
  await until('the address book is told', () => isListed(number, friend, 'A Friend'));
  expect(isListed(number, friend, 'Before')).toBe(false);
  expect(hasEntry(number, 'privacy-salt')).toBe(true);
  await save(later, 'Met Later');
  await until('the change is told', () => isListed(number, later, 'Met Later'));
});

test('a file of the history that cannot be had does not keep the number from its work', async () => {
  const phone = newPhone();
  await stage.admin('PATCH', `phones/${phone}`, { sharesByDownload: true });
  await stage.admin('PATCH', 'network', { corruptMedia: true });
  stage.atEnd(() => stage.admin('PATCH', 'network', { corruptMedia: false }));
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  const to = newPhone();
  const [message] = number.send({ to, text: 'all the same' });
  await until('it is sent', () => message && number.outcomeOf(message));
  expect(await stage.arrivalsAt(to)).toMatchObject([{ text: 'all the same', count: 1 }]);
  await stage.admin('PATCH', 'network', { corruptMedia: false });
});
