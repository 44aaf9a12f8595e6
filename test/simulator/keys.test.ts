import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOk } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';
import { until } from './stage/until.ts';

// A client uploads 812, and its own phone takes one of them to write to it.
const leftAtFirst = 811;
const warnedAt = 4;
let simulator: RunningSimulator;
let client: LinkedClient;
const own = freshPhone();
const acquaintance = freshPhone();

const query = (type: 'get' | 'set', content: unknown[]) =>
  client.socket.query({
    tag: 'iq',
    attrs: { to: '@s.whatsapp.net', type, xmlns: 'encrypt' },
    content: content as never,
  });
const keysLeft = async (): Promise<number> => {
  const answer = await query('get', [{ tag: 'count', attrs: {} }]);
  return Number(answer.content[0].attrs.value);
};
const fetchBundles = async (times: number) => {
  const jid = client.credentials.creds.me?.lid ?? '';
  const users = Array.from({ length: times }, () => ({ tag: 'user', attrs: { jid } }));
  const answer = await query('get', [{ tag: 'key', attrs: {}, content: users }]);
  return answer.content[0].content as { content: { tag: string; content: { content: Buffer }[] }[] }[];
};

beforeAll(async () => {
  simulator = await runSimulator();
  await adminOk(simulator.adminUrl, 'PATCH', `phones/${acquaintance}`, {});
  client = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, own);
});

afterAll(async () => {
  await client.disconnect();
  await simulator.close();
});

test('the keys that a client uploads when it is linked are kept', async () => {
  expect(await keysLeft()).toBe(leftAtFirst);
});

test('each one-time key is given away once', async () => {
  const ids = (await fetchBundles(5)).map((user) => {
    const key = user.content.find((one) => one.tag === 'key');
    return key?.content[0]?.content.toString('hex');
  });
  expect(new Set(ids).size).toBe(5);
  expect(await keysLeft()).toBe(leftAtFirst - 5);
});

test('a client that runs out of one-time keys is told, and uploads more', async () => {
  await fetchBundles((await keysLeft()) - warnedAt);
  await until(async () => (await keysLeft()) > warnedAt, 'more keys');
});

test('a rotated signed key is the one that others get', async () => {
  await client.socket.rotateSignedPreKey();
  const [user] = await fetchBundles(1);
  const signed = user?.content.find((one) => one.tag === 'skey');
  expect(signed?.content[0]?.content.readUIntBE(0, 3)).toBe(2);
});

test('a client finds its keys confirmed', async () => {
  await expect(client.socket.digestKeyBundle()).resolves.toBeUndefined();
});

test('at its first login a client learns which alias belongs to which number', async () => {
  const { lid } = await adminOk(simulator.adminUrl, 'GET', `phones/${acquaintance}`);
  const { lidMapping } = client.socket.signalRepository;
  await until(
    async () => (await lidMapping.getPNForLID(`${lid}@lid`))?.startsWith(acquaintance) === true,
    'the pair',
  );
});
