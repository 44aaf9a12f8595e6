import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBridge } from '../../../src/session-bridge/bridge.ts';
import { type LoginTurn, LoginTurns } from '../../../src/session-bridge/session/machine/login-turns.ts';
import { Stage } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  expect(stage.edge.complaints).toEqual([]);
  await stage.close();
});

test('as many log in at the same time as may, and the next when one of them is done', async () => {
  const turns = new LoginTurns({ atOnce: 2, perSecond: 100 });
  let underWay = 0;
  let most = 0;
  const login = () =>
    new Promise<void>((done) => {
      const turn: LoginTurn = turns.ask(false, () => {
        underWay += 1;
        most = Math.max(most, underWay);
        setImmediate(() => {
          underWay -= 1;
          turn.end();
          done();
        });
      });
    });
  await Promise.all(Array.from({ length: 9 }, login));
  expect(most).toBe(2);
});

test('a login that is not wanted any more does not begin and holds up nobody, and one that is urgent goes first', async () => {
  const turns = new LoginTurns({ atOnce: 1, perSecond: 100 });
  const begun: string[] = [];
  const ask = (name: string, isUrgent = false) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = () => {
      begun.push(name);
      resolve();
    };
    return { turn: turns.ask(isUrgent, begin), begins: promise };
  };
  const [first, second, third, urgent] = [ask('first'), ask('second'), ask('third'), ask('urgent', true)];
  second.turn.end();
  await first.begins;
  first.turn.end();
  await urgent.begins;
  urgent.turn.end();
  await third.begins;
  third.turn.end();
  expect(begun).toEqual(['first', 'urgent', 'third']);
});

test('numbers that come back together log in only so many a second, all of them', async () => {
  const home = await stage.newHome();
  const config = { ...stage.configFor(home), logins: { atOnce: 40, perSecond: 2 } };
  const bridge = startBridge(config, { logDestination: { write: (line) => stage.logLines.push(line) } });
  stage.atEnd(() => bridge.close());
  await stage.edge.until('the bridge connects', () => stage.edge.isConnected(bridge.bridgeId));
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

test('a number that is stopped and wanted again while another one logs in first comes back', async () => {
  const home = await stage.newHome();
  const config = { ...stage.configFor(home), logins: { atOnce: 1, perSecond: 1 } };
  const bridge = startBridge(config, { logDestination: { write: (line) => stage.logLines.push(line) } });
  stage.atEnd(() => bridge.close());
  await stage.edge.until('the bridge connects', () => stage.edge.isConnected(bridge.bridgeId));
  const [first, second] = [
    await stage.pairedNumber(bridge.bridgeId),
    await stage.pairedNumber(bridge.bridgeId),
  ];
  await Promise.all([first, second].map(({ phone }) => stage.admin('POST', `devices/${phone}/drop`)));
  for (const { number } of [first, second]) {
    number.want({ type: 'session.stop', logout: false });
    number.want({ type: 'session.start' });
  }
  await stage.edge.until('both are back', () =>
    [first, second].every(({ number }) => number.factsOf('session.connected').length >= 2),
  );
});
