import { expect, test } from 'vitest';
import { connectedNumber, phoneNumber } from './fake-bridge.ts';

const dialled = '5511987654321';

test.each([
  ['other digits', { onNetwork: true, address: '551187654321' }],
  ['the digits that were dialled', { onNetwork: true }],
  ['no digits', { onNetwork: false }],
])('whoever asks about a recipient is told that the network knows them by %s', async (_, answer) => {
  const { numberId, bridge } = await connectedNumber();
  const asked = phoneNumber(numberId).checkRecipient(dialled);
  const { queryId } = await bridge.takeQuery('contacts.check');
  const contacts = [{ phoneNumber: dialled, ...answer }];
  bridge.say({ type: 'query.result', queryId, answer: { contacts } });
  expect(await asked).toEqual({ ok: true, ...answer });
});
