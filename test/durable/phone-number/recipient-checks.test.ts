import { expect, test } from 'vitest';
import { connectedNumber, phoneNumber } from './fake-bridge.ts';

const dialled = '5511987654321';
const own = '551187654321';

test('the other digits by which the network knows a recipient are told to whoever asks', async () => {
  const { numberId, bridge } = await connectedNumber();
  const answers = [{ onNetwork: true, address: own }, { onNetwork: false }];
  for (const answer of answers) {
    const asked = phoneNumber(numberId).checkRecipient(dialled);
    const { queryId } = await bridge.take('query');
    bridge.say({
      type: 'query.result',
      queryId,
      answer: { contacts: [{ phoneNumber: dialled, ...answer }] },
    });
    expect(await asked).toEqual({ ok: true, ...answer });
  }
});
