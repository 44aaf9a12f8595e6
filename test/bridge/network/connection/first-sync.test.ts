import { expect, test } from 'vitest';
import { frameBytesMax } from '../../../../src/contract/bridge/bridge-frames.ts';
import {
  defaultSessionSettings,
  type SessionSettings,
} from '../../../../src/contract/bridge/session-settings.ts';
import type { FakeNumber } from '../../fake-edge.ts';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const until = (what: string, condition: () => unknown) => stage.edge.until(what, condition);

const hasSynced = (number: FakeNumber) =>
  [...number.vault.keys()].some((key) => key.startsWith('first-sync/'));

async function seen(phone: string, kind: string): Promise<string[]> {
  const { data } = await stage.admin<{ data: { kind: string; what: string }[] }>(
    'GET',
    `phones/${phone}/activity`,
  );
  return data.filter((activity) => activity.kind === kind).map(({ what }) => what);
}

test('after a pairing the settings of the account are fetched, once, without going online', async () => {
  const phone = newPhone();
  await stage.admin('PATCH', `phones/${phone}`, { name: 'The Shop' });
  await stage.admin('POST', `phones/${phone}/contacts`, {
    contacts: [{ phoneNumber: newPhone(), name: 'A Friend' }],
  });
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  await until('the settings are fetched', () => hasSynced(number));
  await expect.poll(async () => (await seen(phone, 'presence')).at(-1)).toBe('unavailable');
  const asked = async () =>
    (await stage.admin<{ queries: Record<string, number> }>('GET', `phones/${phone}`)).queries[
      'w:sync:app:state'
    ];
  const before = await asked();
  await stage.admin('POST', `devices/${phone}/drop`);
  await until('the session comes back', () => number.factsOf('session.connected').length > 1);
  const [message] = number.send({ to: newPhone(), text: 'still here' });
  await until('it is sent', () => message && number.outcomeOf(message));
  expect(await asked()).toBe(before);
  await expect.poll(async () => (await seen(phone, 'presence')).at(-1)).toBe('unavailable');
});

test('a number is shown as online only while it is set so, and confirms what arrives all the same', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const friend = newPhone();
  const settle = async (settings: Partial<SessionSettings>) => {
    const before = number.factsOf('session.connected').length;
    number.want({ type: 'session.start', settings: { ...defaultSessionSettings, ...settings } });
    await until('the session goes on', () => number.factsOf('session.connected').length > before);
  };
  await stage.admin('PATCH', `phones/${phone}`, { name: 'The Shop' });
  await settle({ presence: 'available' });
  await expect.poll(() => seen(phone, 'presence')).toContain('available');
  await settle({ presence: 'unavailable' });
  await expect.poll(async () => (await seen(phone, 'presence')).at(-1)).toBe('unavailable');
  await stage.admin('POST', `phones/${friend}/messages`, { to: phone, text: 'has it arrived?' });
  await until('it comes in', () => number.inbound().length > 0);
  await expect.poll(() => seen(phone, 'confirmed')).toEqual(['delivered']);
});

test('an account with 10,000 contacts is fetched, holds up nobody for long, and moves to another bridge', async () => {
  const phone = newPhone();
  const contacts = Array.from({ length: 10_000 }, (_, index) => ({
    phoneNumber: `6281300${String(index).padStart(5, '0')}`,
    name: `Contact number ${index} of a large address book`,
  }));
  await stage.admin('POST', `phones/${phone}/contacts`, { contacts });
  const { number: other } = await stage.pairedNumber(stage.bridgeId);
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  const [message] = other.send({ to: newPhone(), text: 'meanwhile' });
  await until('another number sends meanwhile', () => message && other.outcomeOf(message));
  await until('the settings are fetched', () => hasSynced(number));
  for (const sealed of number.vault.values()) expect(sealed.length).toBeLessThan(frameBytesMax);
  const second = await stage.startBridge(await stage.newHome());
  await stage.edge.takeAway(number);
  stage.edge.grant(number, second.bridgeId);
  await until('the session connects there', () => number.factsOf('session.connected').length > 1);
  const facts = number.factsOf('vault.put').length;
  await stage.admin('POST', `phones/${phone}/contacts`, {
    contacts: [{ phoneNumber: newPhone(), name: 'One more' }],
  });
  await until('one more is fetched', () =>
    number
      .factsOf('vault.put')
      .slice(facts)
      .some(({ entries }) => entries.some(({ key }) => key.startsWith('app-state-sync-version/'))),
  );
  const written = number
    .factsOf('vault.put')
    .slice(facts)
    .flatMap(({ entries }) =>
      entries.filter(({ key, sealed }) => key.startsWith('part/') && sealed !== null),
    );
  expect(written.length).toBeLessThan(4);
}, 120_000);
