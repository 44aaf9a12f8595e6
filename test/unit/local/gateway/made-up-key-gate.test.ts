import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MadeUpKeyGate } from '../../../../src/local/gateway/made-up-key-gate.ts';
import { newApiKey } from '../../../../src/worker/features/account/keys/api-key.ts';

const secret = 'the secret of this gateway';
const accountId = '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9e';
const failuresAMinute = 60;

let gate: MadeUpKeyGate;
const server = createServer((request, response) => {
  if (!gate.refuses(request, response)) response.writeHead(202).end('passed on');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

async function knock(
  headers: Record<string, string>,
  path = '/v1/messages/send',
): Promise<{ status: number; headers: Headers; text: string }> {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: '{}' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const madeUp = () => newApiKey(accountId, 'a guess').key;
const fromAddress = (last: number) => ({ 'X-API-Key': madeUp(), 'CF-Connecting-IP': `100.64.0.${last}` });

async function withStandingClock(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  gate = new MadeUpKeyGate([secret], 'CF-Connecting-IP');
  try {
    await work();
  } finally {
    log.mockRestore();
    vi.useRealTimers();
  }
}

test('of a flood of made-up keys the first of a second are passed on, and the others refused with 401, as the Worker does', () =>
  withStandingClock(async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 40; index += 1) statuses.push((await knock(fromAddress(index))).status);
    const passed = statuses.filter((status) => status === 202).length;
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThan(20);
    expect(new Set(statuses.slice(passed))).toEqual(new Set([401]));
    const { headers, text } = await knock(fromAddress(50));
    const { error } = JSON.parse(text);
    expect(error).toEqual({
      code: 'INVALID_API_KEY',
      message: 'The API key is missing, unknown or revoked.',
      requestId: headers.get('X-Request-Id'),
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
    });
    vi.setSystemTime(Date.now() + 1000);
    expect(await knock(fromAddress(51))).toMatchObject({ status: 202 });
    expect(console.log).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining(`"made_up_keys.refused","count":${41 - passed}`),
    );
  }));

test('in a flood, good keys, other routes and pages are passed on', () =>
  withStandingClock(async () => {
    const isRefused = async () => (await knock(fromAddress(1))).status === 401;
    for (let index = 0; !(await isRefused()) && index < 40; index += 1);
    expect(await isRefused()).toBe(true);
    const good = { 'X-API-Key': newApiKey(accountId, secret).key, 'CF-Connecting-IP': '100.64.0.1' };
    expect(await knock(good)).toMatchObject({ status: 202 });
    expect(await knock(fromAddress(1), '/v1/numbers')).toMatchObject({ status: 202 });
    expect(await knock({ ...fromAddress(1), Origin: 'https://page.example' })).toMatchObject({ status: 202 });
    expect(await knock({})).toMatchObject({ status: 202 });
    expect(await isRefused()).toBe(true);
  }));

test('an address whose made-up keys come too often waits, whatever others do', () =>
  withStandingClock(async () => {
    const answers = [];
    for (let index = 0; index <= failuresAMinute; index += 1) answers.push(await knock(fromAddress(2)));
    expect(answers.at(-1)).toMatchObject({ status: 429 });
    expect(Number(answers.at(-1)?.headers.get('Retry-After'))).toBeGreaterThan(0);
    vi.setSystemTime(Date.now() + 1000);
    expect(await knock(fromAddress(2))).toMatchObject({ status: 429 });
    expect(await knock(fromAddress(3))).toMatchObject({ status: 202 });
    const good = { 'X-API-Key': newApiKey(accountId, secret).key, 'CF-Connecting-IP': '100.64.0.2' };
    expect(await knock(good)).toMatchObject({ status: 202 });
  }));
