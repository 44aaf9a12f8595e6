import { expect, test } from 'vitest';
import type { FakeNumber } from '../../fake-edge.ts';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

const hasSalt = (number: FakeNumber) =>
  [...number.vault.keys()].some((key) => key.startsWith('privacy-salt/'));

async function outcomeOf(number: FakeNumber, to: string) {
  const [message] = number.send({ to, text: 'hello' });
  await until('it has an outcome', () => message && number.outcomeOf(message));
  return message && number.outcomeOf(message);
}

/** A number whose messages to people the network refuses unless they bear a token. */
async function strictNumber(saltInHistory: boolean) {
  const phone = newPhone();
  await stage.admin('PATCH', `phones/${phone}`, { saltInHistory });
  await stage.admin('PATCH', `devices/${phone}`, { needsTokens: true });
  return stage.pairedNumber(stage.bridgeId, phone);
}

test('the salt that comes once with the history lets the number write to strangers, from another bridge too', async () => {
  const { number } = await strictNumber(true);
  await until('the salt is kept', () => hasSalt(number));
  expect(await outcomeOf(number, newPhone())).toMatchObject({ outcome: 'sent' });
  const other = await stage.startBridge(await stage.newHome());
  await stage.edge.takeAway(number);
  stage.edge.grant(number, other.bridgeId);
  await until('the session connects there', () => number.factsOf('session.connected').length > 1);
  expect(await outcomeOf(number, newPhone())).toMatchObject({ outcome: 'sent' });
});

test('a salt that comes later among the settings does the same, and without one strangers are out of reach', async () => {
  const { number, phone } = await strictNumber(false);
  expect(await outcomeOf(number, newPhone())).toMatchObject({ outcome: 'failed', code: '463' });
  await stage.admin('POST', `phones/${phone}/salt`);
  await until('the salt is kept', () => hasSalt(number));
  expect(await outcomeOf(number, newPhone())).toMatchObject({ outcome: 'sent' });
});

test('a salt that was among the settings before the pairing is found by the first sync', async () => {
  const phone = newPhone();
  await stage.admin('PATCH', `phones/${phone}`, { saltInHistory: false });
  await stage.admin('POST', `phones/${phone}/salt`);
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  await until('the salt is kept', () => hasSalt(number));
});

test('somebody who wrote first has given a token, and is answered with that', async () => {
  const { number, phone } = await strictNumber(false);
  const friend = newPhone();
  await stage.admin('POST', `phones/${friend}/messages`, { to: phone, text: 'write back' });
  await until('the token is kept', () =>
    [...number.vault.keys()].some((key) => key.startsWith('tctoken/') && key.endsWith('@lid')),
  );
  expect(await outcomeOf(number, friend)).toMatchObject({ outcome: 'sent' });
});
