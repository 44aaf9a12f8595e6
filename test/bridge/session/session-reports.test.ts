import { expect, test, vi } from 'vitest';
import type { NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import type { FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import type { NetworkConnection } from '../../../src/session-bridge/network/connection/connection.ts';
import { connectionCodes } from '../../../src/session-bridge/network/connection/connection-end.ts';
import { PairingDialogue } from '../../../src/session-bridge/session/machine/pairing-dialogue.ts';
import { SessionReports } from '../../../src/session-bridge/session/machine/session-reports.ts';

const at = '2026-01-31T09:30:00.000Z';

function told() {
  const facts: NumberFact[] = [];
  const logged: string[] = [];
  const journal = { append: (fact: NumberFact) => facts.push(fact) } as unknown as FactLog;
  return { facts, logged, journal, log: makeLog('debug', { write: (line) => logged.push(line) }) };
}

test('a loss is told once, and the next one when the session was there again or was begun anew', () => {
  const { facts, journal, log } = told();
  const reports = new SessionReports(journal, log);
  const losses = () => facts.flatMap((fact) => (fact.type === 'session.disconnected' ? [fact.reason] : []));
  reports.opened('628111111111');
  reports.lost('connection_lost', at);
  reports.lost('client_outdated', at);
  expect(losses()).toEqual(['connection_lost']);
  reports.opened('628111111111');
  reports.lost('session_deaf', at);
  reports.forgetLoss();
  reports.lost('connection_lost', at);
  expect(losses()).toEqual(['connection_lost', 'session_deaf', 'connection_lost']);
});

test('a ban that passes is told with its end, also where the session was lost already, and once', () => {
  const { facts, journal, log } = told();
  const reports = new SessionReports(journal, log);
  reports.lost('connection_lost', at);
  for (let looks = 0; looks < 2; looks += 1) reports.lost('temporarily_banned', at, 3_600_000);
  expect(facts).toMatchObject([
    { reason: 'connection_lost' },
    { reason: 'temporarily_banned', until: expect.any(String) },
  ]);
});

test('the log of a session does not name its whole phone number', () => {
  const { facts, logged, journal, log } = told();
  new SessionReports(journal, log).opened('628123456789');
  expect(facts).toMatchObject([{ type: 'session.connected', phoneNumber: '628123456789' }]);
  expect(logged.join()).toContain('789');
  expect(logged.join()).not.toContain('628123456789');
});

/** A dialogue, and a network that gives a code when the test says so. */
function dialogue() {
  const { facts, journal, log } = told();
  const asked: PromiseWithResolvers<{ code: string; expiresAtMs: number }>[] = [];
  const connection = {
    requestPairingCode: () => {
      const code = Promise.withResolvers<{ code: string; expiresAtMs: number }>();
      asked.push(code);
      return code.promise;
    },
  } as unknown as NetworkConnection;
  let failures = 0;
  const pairing = new PairingDialogue({
    facts: journal,
    log,
    pairingMs: 60_000,
    onFailed: () => {
      failures += 1;
      pairing.end();
    },
  });
  const ready = () => pairing.showQr('qr', Date.parse(at), connection);
  return { facts, asked, pairing, ready, failures: () => failures };
}

test('a pairing asks each connection for one code, and tells none that belongs to a request before it', async () => {
  const { facts, asked, pairing, ready } = dialogue();
  pairing.begin({ pairingId: 'first', method: 'code', phoneNumber: '628123456789' });
  ready();
  ready();
  expect(asked).toHaveLength(1);
  const attempt = pairing.unpaired;
  const lost = { code: connectionCodes.closed, detail: '' };
  expect(attempt && pairing.goesOnAfter(attempt, lost)).toBe(true);
  ready();
  expect(asked).toHaveLength(2);
  pairing.end();
  pairing.begin({ pairingId: 'second', method: 'code', phoneNumber: '628123456789' });
  ready();
  for (const { resolve } of asked) resolve({ code: 'ABCD1234', expiresAtMs: Date.parse(at) });
  await Promise.all(asked.map(({ promise }) => promise));
  await Promise.resolve();
  expect(facts).toEqual([{ type: 'pairing.code', pairingId: 'second', code: 'ABCD1234', expiresAt: at }]);
  pairing.end();
});

test('a pairing is over where nobody has used its code in time, and goes on where there was none yet', () => {
  const { facts, pairing, ready } = dialogue();
  pairing.begin({ pairingId: 'id', method: 'qr' });
  const timedOut = { code: connectionCodes.lostOrTimedOut, detail: '' };
  const goesOn = () => pairing.unpaired && pairing.goesOnAfter(pairing.unpaired, timedOut);
  expect(goesOn()).toBe(true);
  ready();
  expect(goesOn()).toBe(false);
  expect(facts.at(-1)).toEqual({ type: 'pairing.failed', pairingId: 'id', failure: 'expired' });
});

test('a pairing by code is over where nobody has used its code in time, too', async () => {
  const { facts, asked, pairing, ready } = dialogue();
  pairing.begin({ pairingId: 'id', method: 'code', phoneNumber: '628123456789' });
  ready();
  asked[0]?.resolve({ code: 'ABCD1234', expiresAtMs: Date.parse(at) });
  await new Promise(setImmediate);
  expect(facts).toMatchObject([{ type: 'pairing.code' }]);
  const timedOut = { code: connectionCodes.lostOrTimedOut, detail: '' };
  expect(pairing.unpaired && pairing.goesOnAfter(pairing.unpaired, timedOut)).toBe(false);
  expect(facts.at(-1)).toEqual({ type: 'pairing.failed', pairingId: 'id', failure: 'expired' });
});

test('a pairing that is begun anew has all of its time', () => {
  vi.useFakeTimers();
  try {
    const { facts, pairing } = dialogue();
    pairing.begin({ pairingId: 'first', method: 'qr' });
    vi.advanceTimersByTime(40_000);
    pairing.end();
    pairing.begin({ pairingId: 'second', method: 'qr' });
    vi.advanceTimersByTime(59_999);
    expect(facts).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(facts).toEqual([{ type: 'pairing.failed', pairingId: 'second', failure: 'expired' }]);
  } finally {
    vi.useRealTimers();
  }
});

test('a pairing that the network calls bad is tried again until its code is on the screen, and has failed then', () => {
  const { facts, pairing, ready } = dialogue();
  pairing.begin({ pairingId: 'id', method: 'qr' });
  const bad = { code: connectionCodes.badSession, detail: '' };
  const goesOn = () => pairing.unpaired && pairing.goesOnAfter(pairing.unpaired, bad);
  expect(goesOn()).toBe(true);
  ready();
  expect(goesOn()).toBe(false);
  expect(facts.at(-1)).toEqual({ type: 'pairing.failed', pairingId: 'id', failure: 'refused' });
});

test('a code that a connection did not give before it was lost fails no pairing: the next one is asked', async () => {
  const { asked, pairing, ready, failures } = dialogue();
  pairing.begin({ pairingId: 'id', method: 'code', phoneNumber: '628123456789' });
  ready();
  const attempt = pairing.unpaired;
  expect(attempt && pairing.goesOnAfter(attempt, { code: connectionCodes.closed, detail: '' })).toBe(true);
  asked[0]?.reject(new Error('Connection Closed'));
  await new Promise(setImmediate);
  ready();
  expect([asked.length, failures()]).toEqual([2, 0]);
  asked[1]?.reject(new Error('not-allowed'));
  await new Promise(setImmediate);
  expect(failures()).toBe(1);
});

test.each([
  ['before a code is on the screen', false, 10],
  ['with a code on the screen', true, 2],
] as const)('%s a pairing outlives so many lost connections and no more', (_when, isShown, lossesMax) => {
  const { facts, pairing, ready, failures } = dialogue();
  pairing.begin({ pairingId: 'id', method: 'qr' });
  if (isShown) ready();
  const lost = { code: connectionCodes.closed, detail: '' };
  let losses = 0;
  while (pairing.unpaired && pairing.goesOnAfter(pairing.unpaired, lost)) losses += 1;
  expect(losses).toBe(lossesMax);
  expect(facts.at(-1)).toEqual({ type: 'pairing.failed', pairingId: 'id', failure: 'refused' });
  // Nothing is connected any more.
  expect(failures()).toBe(1);
});
