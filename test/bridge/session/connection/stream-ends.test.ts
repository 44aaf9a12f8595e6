import { expect, test } from 'vitest';
import type { FakeNumber } from '../../fake-edge.ts';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const until = (what: string, condition: () => unknown) => stage.edge.until(what, condition);

/** Texts to each of these, in this order; what was returned is handed over again, as the edge does it after a login. */
async function send(number: FakeNumber, recipients: string[]) {
  const messages = number.send(...recipients.map((to) => ({ to, text: `for ${to}` })));
  let logins = number.factsOf('session.connected').length;
  await until('all have an outcome', () => {
    const loginsNow = number.factsOf('session.connected').length;
    if (loginsNow > logins) number.handOverAgain();
    logins = loginsNow;
    return messages.every((message) => number.outcomeOf(message));
  });
  return messages.map((message) => number.outcomeOf(message));
}

async function arrivals(recipients: string[]): Promise<(number | undefined)[]> {
  return Promise.all(recipients.map(async (to) => (await stage.arrivalsAt(to))[0]?.count));
}

test.each([
  ['before the network took it', false],
  ['after the network took it', true],
])('a message that ends the connection %s is there once, and so are those beside it', async (_, isTaken) => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  const recipients = [newPhone(), newPhone(), newPhone()];
  const sender = { outcome: 'sent' };
  await stage.admin('PATCH', `phones/${recipients[1]}`, { endsStream: { times: 2, isTaken } });
  expect(await send(number, recipients)).toMatchObject([sender, sender, sender]);
  expect(await arrivals(recipients)).toEqual([1, 1, 1]);
  // It says nothing about the credentials.
  expect(number.factsOf('session.disconnected').map(({ reason }) => reason)).toEqual(
    number.factsOf('session.disconnected').map(() => 'connection_closed'),
  );
  expect(number.factsOf('session.disconnected').length).toBeGreaterThan(0);
});

test('a message that ends every connection is given up, with an outcome that says what is not known, and holds up no other', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  const [poison = '', ...others] = [newPhone(), newPhone(), newPhone()];
  await stage.admin('PATCH', `phones/${poison}`, { endsStream: { times: 1_000, isTaken: false } });
  const [given, ...rest] = await send(number, [poison, ...others]);
  expect(given).toMatchObject({ outcome: 'failed', code: 'unknown_outcome' });
  expect(rest).toMatchObject([{ outcome: 'sent' }, { outcome: 'sent' }]);
  expect(await arrivals([poison, ...others])).toEqual([undefined, 1, 1]);
});

test('a question that the network has not answered when it ends the connection holds up nothing afterwards', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const [known, stranger] = [newPhone(), newPhone()];
  const [greeting] = number.send({ to: known, text: 'a greeting' });
  await until('the greeting is sent', () => greeting && number.outcomeOf(greeting));
  // Before the first message to somebody the network is asked for devices and keys.
  await stage.admin('PATCH', `devices/${phone}`, { queries: { usync: { silent: true } } });
  const [before, behind] = number.send({ to: known, text: 'before' }, { to: stranger, text: 'behind' });
  await until('the first of them is sent', () => before && number.outcomeOf(before));
  await stage.admin('POST', `devices/${phone}/stanza`, { tag: 'stream:error', attrs: { code: '503' } });
  await until('it has come back', () => number.factsOf('session.connected').length === 2);
  await stage.admin('PATCH', `devices/${phone}`, { queries: {} });
  number.handOverAgain();
  const sent = () => behind && number.outcomeOf(behind);
  await stage.edge.until('the one behind it is sent as well', sent);
  expect(sent()).toMatchObject({ outcome: 'sent' });
});

test('a link that is cut after a few stanzas loses and doubles nothing, and each login is in the record', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const recipients = Array.from({ length: 12 }, newPhone);
  await stage.admin('PATCH', `devices/${phone}`, { cutAfter: 9 });
  const outcomes = await send(number, recipients);
  expect(outcomes).toMatchObject(recipients.map(() => ({ outcome: 'sent' })));
  expect(await arrivals(recipients)).toEqual(recipients.map(() => 1));
  const { data, mostInOneSecond } = await stage.admin<{
    data: { phone: string; outcome: string }[];
    mostInOneSecond: number;
  }>('GET', 'logins');
  const outcomesOf = data.filter((login) => login.phone === phone).map(({ outcome }) => outcome);
  expect(outcomesOf).toEqual(['logged in', 'logged in']);
  expect(mostInOneSecond).toBeGreaterThan(0);
});
