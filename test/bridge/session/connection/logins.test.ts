import { expect, test } from 'vitest';
import { type RunningBridge, startBridge } from '../../../../src/session-bridge/bridge.ts';
import type { LoginLimits } from '../../../../src/session-bridge/session/machine/login-turns.ts';
import { newPhone, Stage } from '../../stage.ts';

const stage = Stage.open();

async function bridgeWith(logins: LoginLimits): Promise<RunningBridge> {
  const config = { ...stage.configFor(await stage.newHome()), logins };
  const bridge = startBridge(config, { logDestination: { write: (line) => stage.logLines.push(line) } });
  stage.atEnd(() => bridge.close());
  await stage.until('the bridge connects', () => stage.edge.isConnected(bridge.bridgeId));
  return bridge;
}

test('numbers that come back together log in only so many a second, all of them', async () => {
  const bridge = await bridgeWith({ atOnce: 40, perSecond: 2 });
  const paired = await Promise.all(Array.from({ length: 5 }, () => stage.pairedNumber(bridge.bridgeId)));
  const cutAtMs = Date.now();
  await Promise.all(paired.map(({ phone }) => stage.admin('POST', `devices/${phone}/drop`)));
  await stage.edge.until('all are back', () =>
    paired.every(({ number }) => number.factsOf('session.connected').length >= 2),
  );
  const { data } = await stage.admin<{ data: { phone: string; at: string }[] }>('GET', 'logins');
  const back = data.filter((login) => Date.parse(login.at) >= cutAtMs);
  expect(new Set(back.map(({ phone }) => phone))).toEqual(new Set(paired.map(({ phone }) => phone)));
  // The fifth begins two seconds after the first at the earliest.
  expect(Date.parse(back.at(-1)?.at ?? '') - cutAtMs).toBeGreaterThanOrEqual(2_000);
});

type Paired = Awaited<ReturnType<Stage['pairedNumber']>>;

/** A bridge with one login at a time takes these over: the first gets no answer from the network until `answer`. */
async function takeOver(numbers: Paired[]): Promise<{ answer: () => void }> {
  const wire = await stage.layDeafWire();
  wire.isDeaf = true;
  const bridge = await bridgeWith({ atOnce: 1, perSecond: 100 });
  for (const { number } of numbers) {
    number.vaultQuestions.length = 0;
    stage.edge.grant(number, bridge.bridgeId);
    // Behind the credentials it asks for what is read ahead, and for its turn.
    await stage.until('it has its credentials', () => number.vaultQuestions.length > 1);
  }
  const answer = () => {
    wire.isDeaf = false;
    wire.cut();
  };
  return { answer };
}

async function pairAndLeave(count: number): Promise<Paired[]> {
  const bridge = await stage.startBridge(await stage.newHome());
  const paired: Paired[] = [];
  while (paired.length < count) paired.push(await stage.pairedNumber(bridge.bridgeId));
  await bridge.close();
  return paired;
}

const allAreBack = (numbers: Paired[]) =>
  stage.until('all are back', () =>
    numbers.every(({ number }) => number.factsOf('session.connected').length > 1),
  );

test('a number that is stopped and wanted again while another one logs in first comes back', async () => {
  const numbers = await pairAndLeave(2);
  const { answer } = await takeOver(numbers);
  const number = numbers[1]?.number;
  if (!number) throw new Error('nothing is paired');
  number.want({ type: 'session.stop', logout: false });
  const isStopped = (line: string) => line.includes(number.numberId) && line.includes('session.stopped');
  await expect.poll(() => stage.logLines.some(isStopped)).toBe(true);
  number.want({ type: 'session.start' });
  answer();
  await allAreBack(numbers);
});

test('of numbers that wait for their login one that has messages to send goes first', async () => {
  const numbers = await pairAndLeave(3);
  const [first, idle, busy] = numbers;
  busy?.number.send({ to: newPhone(), text: 'your order has left' });
  const { data: earlier } = await stage.admin<{ data: unknown[] }>('GET', 'logins');
  const { answer } = await takeOver(numbers);
  answer();
  await allAreBack(numbers);
  const { data } = await stage.admin<{ data: { phone: string }[] }>('GET', 'logins');
  const phones = data.slice(earlier.length).map(({ phone }) => phone);
  expect(phones.filter((phone) => phone !== first?.phone)).toEqual([busy?.phone, idle?.phone]);
});
