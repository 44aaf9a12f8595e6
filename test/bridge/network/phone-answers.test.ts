import { beforeAll, expect, test } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

test('a message that the network only tells of is fetched from the own phone, and taken like any other', async () => {
  const customer = newPhone();
  const { id } = await stage.admin<{ id: string }>('POST', `phones/${customer}/messages`, {
    to: phone,
    text: 'I saw your advertisement',
    unavailable: true,
  });
  await until('it comes in', () => number.inbound().length > 0);
  const [message] = number.inbound();
  expect(message).toMatchObject({ providerMessageId: id, from: customer, chatType: 'personal' });
  expect(message && textOf(message.content)).toBe('I saw your advertisement');
});

test('the same in a group', async () => {
  const member = newPhone();
  const { id } = await stage.admin<{ id: string }>('POST', 'groups', {
    subject: 'leads',
    members: [member, phone],
  });
  await stage.admin('POST', `phones/${member}/messages`, { to: id, text: 'to all', unavailable: true });
  await until('it comes in', () => number.inbound().some(({ groupId }) => groupId === id));
  expect(number.inbound().find(({ groupId }) => groupId === id)).toMatchObject({ from: member });
});
