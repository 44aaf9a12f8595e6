import { beforeAll, expect, test } from 'vitest';
import type { FakeNumber } from '../../fake-edge.ts';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open({ rateHoldMs: 300 });
const { until } = stage;
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

async function outcomeOf(to: string, text: string) {
  const [message] = number.send({ to, text });
  await until('it has an outcome', () => message && number.outcomeOf(message));
  return message && number.outcomeOf(message);
}

test.each(['missing', 'broken'])(
  'a member of a group whose keys are %s keeps the message from nobody else',
  async (keys) => {
    const [well, ill] = [newPhone(), newPhone()];
    await stage.admin('PATCH', `phones/${ill}`, { keys });
    const { id } = await stage.admin<{ id: string }>('POST', 'groups', {
      subject: keys,
      members: [phone, well, ill],
    });
    expect(await outcomeOf(id, 'for all who can read')).toMatchObject({ outcome: 'sent' });
    await until('who can read it says so', () =>
      number
        .factsOf('receipts')
        .some(({ items }) => items.some((item) => item.isGroup && item.recipient === well)),
    );
    expect(await outcomeOf(id, 'and again')).toMatchObject({ outcome: 'sent' });
  },
);

test('somebody whose keys are missing gets nothing, and the message never left', async () => {
  const ill = newPhone();
  await stage.admin('PATCH', `phones/${ill}`, { keys: 'missing' });
  expect(await outcomeOf(ill, 'for nobody')).toMatchObject({ outcome: 'failed', code: null });
  expect(await stage.arrivalsAt(ill)).toEqual([]);
});

test.each(['usync', 'encrypt'])(
  'a message is held while the network limits questions (%s), its time counts on, and others go on',
  async (xmlns) => {
    const { number: asker, phone: own } = await stage.pairedNumber(stage.bridgeId);
    const send = (to: string, expiresInMs = 60_000) => asker.send({ to, text: xmlns, expiresInMs })[0];
    const known = newPhone();
    const first = send(known);
    await until('it is sent', () => first && asker.outcomeOf(first));
    await stage.admin('PATCH', `devices/${own}`, { queries: { [xmlns]: { error: '429' } } });
    const held = send(newPhone());
    const brief = send(newPhone(), 500);
    const second = send(known);
    await until('what needs no question is sent', () => second && asker.outcomeOf(second));
    const endsOf = (message: typeof brief) => message && asker.sent.get(message.messageId)?.outcomes;
    await until('what has no time left comes back', () => endsOf(brief)?.at(0)?.outcome === 'returned');
    expect(endsOf(held)).toEqual([]);
    await stage.admin('PATCH', `devices/${own}`, { queries: {} });
    await until('what was held is sent', () => held && asker.outcomeOf(held)?.outcome === 'sent');
  },
);
