import { expect, test } from 'vitest';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

const loginsRefused = (numberId: string) =>
  stage.logLines.filter((line) => line.includes(numberId) && line.includes('"session.closed"')).length;

test('a ban that passes is reported with its end, is not knocked at, and the session comes back by itself', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const endsAt = Date.now() + 4_000;
  const refusedBefore = loginsRefused(number.numberId);
  await stage.admin('PATCH', `devices/${phone}`, { failure: { reason: '402', endsAt } });
  await until('the loss is reported', () => number.factsOf('session.disconnected').length > 0);
  const [loss] = number.factsOf('session.disconnected');
  expect(loss).toMatchObject({ reason: 'temporarily_banned', until: expect.any(String) });
  expect(Math.abs(Date.parse(loss?.until ?? '') - endsAt)).toBeLessThan(3_000);
  await until('the session comes back', () => number.factsOf('session.connected').length > 1);
  expect(loginsRefused(number.numberId) - refusedBefore).toBe(1);
  expect(number.factsOf('session.ended')).toEqual([]);
});

test('a ban that is met while the session was lost for another reason is told too', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  await stage.admin('PATCH', `devices/${phone}`, { refuseConnections: true });
  await until('the loss is reported', () => number.factsOf('session.disconnected').length > 0);
  const failure = { reason: '402', endsAt: Date.now() + 5_000 };
  await stage.admin('PATCH', `devices/${phone}`, { refuseConnections: false, failure });
  await until('the ban is reported', () => number.factsOf('session.disconnected').length > 1);
  expect(number.factsOf('session.disconnected').at(-1)?.reason).toBe('temporarily_banned');
  await until('the session comes back', () => number.factsOf('session.connected').length > 1);
});

test.each(['403', '406'])(
  'a number that is banned for good (%s) keeps its keys, and goes on with them when the ban is lifted',
  async (reason) => {
    const { number, phone } = await stage.pairedNumber(stage.bridgeId);
    await stage.admin('PATCH', `devices/${phone}`, { failure: { reason } });
    await until('the end is reported', () => number.factsOf('session.ended').length > 0);
    expect(number.factsOf('session.ended')).toMatchObject([{ reason: 'banned' }]);
    await stage.admin('PATCH', `devices/${phone}`, { failure: null });
    number.want({ type: 'session.start' });
    await until('the session comes back', () => number.factsOf('session.connected').length > 1);
    const [message] = number.send({ to: newPhone(), text: 'back again' });
    await until('it is sent', () => message && number.outcomeOf(message));
    expect(number.factsOf('pairing.qr')).toHaveLength(1);
  },
);
