import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import { newPhone, Stage } from '../stage.ts';

const stage = Stage.open();

const reportKinds = ['send.outcomes', 'receipts', 'inbound'];

const hasReached = (text: string) => stage.edge.received.some((frame) => frame.includes(text));

/** A number whose bridge holds a message that the edge has not taken, and whose lease another bridge gets. */
async function takenOver(text: string) {
  const home = await stage.newHome();
  const bridge = await stage.startBridge(home);
  const { number, phone } = await stage.pairedNumber(bridge.bridgeId);
  number.storesFacts = false;
  await stage.admin('POST', `phones/${newPhone()}/messages`, { to: phone, text });
  await stage.edge.until('it reaches the edge', () => hasReached(text));
  return { home, bridge, number };
}

const logged = (event: string, numberId: string) =>
  expect
    .poll(() => stage.logLines.some((line) => line.includes(event) && line.includes(numberId)))
    .toBe(true);

function kindsIn(home: string): string[] {
  const db = new DatabaseSync(join(home, 'journal.sqlite'), { readOnly: true });
  try {
    return db
      .prepare('SELECT kind FROM facts')
      .all()
      .map(({ kind }) => String(kind));
  } finally {
    db.close();
  }
}

test('a bridge whose lease went to another one still reports what its journal holds, and does nothing else', async () => {
  const { bridge, number } = await takenOver('under the old epoch');
  const other = await stage.startBridge(await stage.newHome());
  const to = newPhone();
  const [message] = number.send({ to, text: 'sent by the old bridge' });
  // It leaves a little later: the edge has not stored what the bridge has heard.
  await expect.poll(async () => (await stage.arrivalsAt(to)).length).toBe(1);
  number.storesFacts = true;
  // The next lease is known, and its bridge comes behind the report: before it, the hand-over would be in doubt.
  number.epoch += 1;
  number.socket?.close(4002);
  await stage.edge.until('it is reported', () => number.inbound().length > 0);
  await logged('report.ended', number.numberId);
  const oldLink = number.socket;
  stage.edge.grant(number, other.bridgeId);
  await stage.edge.until('the other bridge has the number', () => number.socket && number.socket !== oldLink);
  await stage.edge.until('its session is there', () => number.factsOf('session.connected').length > 1);
  expect(number.reported.length).toBeGreaterThan(0);
  expect(number.reported.filter(({ type }) => !reportKinds.includes(type))).toEqual([]);
  expect(number.inbound().map(({ content }) => textOf(content))).toEqual(['under the old epoch']);
  expect(message && number.outcomeOf(message)).toMatchObject({ outcome: 'sent' });
  expect(await stage.arrivalsAt(to)).toMatchObject([{ count: 1 }]);
  const released = stage.edge.controlFrames.filter(
    ({ bridgeId, frame }) => bridgeId === bridge.bridgeId && frame.type === 'lease.released',
  );
  expect(released).toHaveLength(1);
});

test('a bridge that was away while its lease ended reports when it is back, and keeps nothing of that session', async () => {
  const { home, bridge, number } = await takenOver('from before the restart');
  await bridge.close();
  const other = await stage.startBridge(await stage.newHome());
  number.storesFacts = true;
  stage.edge.grant(number, other.bridgeId);
  await stage.edge.until('the other bridge has the number', () => number.socket);
  const back = await stage.startBridge(home);
  await stage.edge.until('it is reported', () =>
    number.inbound().some(({ content }) => textOf(content) === 'from before the restart'),
  );
  await logged('report.ended', number.numberId);
  await back.close();
  const again = await stage.startBridge(home);
  await again.close();
  expect(kindsIn(home)).toEqual([]);
});

test('what the edge does not want to hear now is kept', async () => {
  const { home, bridge, number } = await takenOver('not wanted');
  number.takesReports = false;
  number.epoch += 1;
  number.socket?.close(4002);
  await logged('report.ended', number.numberId);
  await bridge.close();
  expect(kindsIn(home)).toContain('inbound');
});

test('a new lease ends the report, and the session goes on with what is left', async () => {
  const { bridge, number } = await takenOver('reported by the next lease');
  number.epoch += 1;
  number.socket?.close(4002);
  await logged('report.began', number.numberId);
  number.storesFacts = true;
  stage.edge.grant(number, bridge.bridgeId);
  await stage.edge.until('it is reported', () => number.inbound().length > 0);
  await stage.edge.until('the session is back', () => number.factsOf('session.connected').length > 1);
  // A report that the edge had stored when it ended, and had not acknowledged yet, is told once more.
  const reported = new Set(number.inbound().map(({ content }) => textOf(content)));
  expect([...reported]).toEqual(['reported by the next lease']);
  await logged('report.ended', number.numberId);
});

test('a bridge whose lease is over says which messages never left it, under the hand-over that it knew', async () => {
  const bridge = await stage.startBridge(await stage.newHome());
  const { number } = await stage.pairedNumber(bridge.bridgeId);
  const other = await stage.startBridge(await stage.newHome());
  const to = newPhone();
  const [message] = number.send({ to, text: 'typed when the lease ended', typingMs: 2_000 });
  stage.edge.grant(number, other.bridgeId);
  await stage.edge.until('the other bridge has sent it', () => message && number.outcomeOf(message));
  const outcomes = number.sent.get(message?.messageId ?? '')?.outcomes;
  expect(outcomes).toMatchObject([
    { outcome: 'returned', handOver: 1 },
    { outcome: 'sent', handOver: 2 },
  ]);
  expect(await stage.arrivalsAt(to)).toMatchObject([{ count: 1 }]);
});
