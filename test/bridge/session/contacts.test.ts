import { expect, test } from 'vitest';
import type { SeenContact } from '../../../src/contract/contacts/contact.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();

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
