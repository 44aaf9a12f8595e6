import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request as ask } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { Customer } from './stage/customer.ts';
import { GatewayProcess } from './stage/gateway-process.ts';
import { expectCleanLogs } from './stage/promises.ts';

let gateway: GatewayProcess;
let customer: Customer;
/** Stands in every body that is sent here, and in no log. */
const secret = `secret-${randomUUID()}`;
const port = () => Number(gateway.environment.PORT);

beforeAll(async () => {
  gateway = await GatewayProcess.start();
  customer = await Customer.join(gateway);
  await customer.send(`before ${secret}`);
});

afterAll(async () => {
  await customer?.leave();
  await gateway?.discard();
});

/** The databases of the product's objects, but for those that the customer's callbacks make when several come at once. */
const databases = (): string[] =>
  readdirSync(join(gateway.home, 'gateway', 'do'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /[0-9a-f]{64}\.sqlite$/.test(file) && !file.includes('CallbackHost'))
    .sort();

const base62 = (length: number) =>
  randomBytes(2 * length)
    .toString('base64')
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .slice(0, length);

/** Some name nobody, some the account of a real key. */
const madeUpKey = (index: number) =>
  index % 2 === 0 ? `sk_live_${base62(60)}` : `${customer.apiKey.slice(0, 30)}${base62(38)}`;

describe('a gateway that is attacked', () => {
  test("goes on with a customer's sends while made-up keys come by the hundred, and keeps nothing of them", async () => {
    // The customer's own requests are kept a moment after they were answered.
    await customer.sendOnce({ to: customer.recipient, text: 'first' }, randomUUID());
    await waitUntil('The request was not kept', async () =>
      databases().some((file) => file.includes('RequestLog')) ? true : null,
    );
    const before = databases();
    const perSecond = 300;
    const count = 2 * perSecond;
    const agent = new Agent({ connections: 32 });
    const statuses: Record<number, number> = {};
    let sent = 0;
    let isOver = false;
    const sends = async () => {
      while (!isOver) {
        const body = { to: customer.recipient, text: `beside ${randomUUID()} ${secret}` };
        const answer = await customer.sendOnce(body, randomUUID());
        expect(answer.status, await answer.text()).toBe(202);
        sent += 1;
        await delay(50);
      }
    };
    const madeUp = async (index: number) => {
      const answer = await ask(`http://127.0.0.1:${port()}/v1/messages`, {
        dispatcher: agent,
        headers: { 'x-api-key': madeUpKey(index) },
      });
      await answer.body.dump();
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    };
    const sending = sends();
    const asked: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let index = 0; index < count; index += 1) {
      await delay(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
      asked.push(madeUp(index));
    }
    await Promise.all(asked);
    const sentBeside = sent;
    isOver = true;
    await sending;
    await agent.close();

    const { 401: unknown = 0, 429: tooMany = 0, ...others } = statuses;
    expect(others).toEqual({});
    expect(unknown + tooMany).toBe(count);
    // How long they take is the benches' to say (made-up-keys).
    expect(sentBeside).toBeGreaterThan(0);
    expect(databases()).toEqual(before);
  });

  /** Sends the bytes; what comes back until the connection ends, or nothing has come for a while. */
  function raw(
    bytes: string | Uint8Array,
    { end = false, quietMs = 1500 } = {},
  ): Promise<{ text: string; closed: boolean }> {
    return new Promise((resolve) => {
      let text = '';
      let timer: NodeJS.Timeout;
      const done = (closed: boolean) => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ text, closed });
      };
      const socket = connect(port(), '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)));
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => done(false), quietMs);
      };
      wait();
      socket.on('data', (data) => {
        text += data.toString('latin1');
        wait();
      });
      socket.on('error', () => done(true));
      socket.on('close', () => done(true));
    });
  }

  const body = JSON.stringify({ email: 'somebody@example.com', password: secret });
  const login = (headers: string, rest = body, host = 'Host: 127.0.0.1') =>
    `POST /v1/auth/login HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${rest}`;
  const fitting = `Content-Length: ${body.length}`;
  const chunk = (size: string) => `${size}\r\n${body}\r\n0\r\n\r\n`;
  const size = body.length.toString(16);

  const attempts: Record<string, string | Uint8Array> = {
    'a chunk that is longer than it says': login('Transfer-Encoding: chunked', chunk('5')),
    'a chunk that is shorter than it says': login('Transfer-Encoding: chunked', chunk('fff')),
    'a chunk whose size is no number': login('Transfer-Encoding: chunked', chunk('zz')),
    'a chunk whose size is endless': login('Transfer-Encoding: chunked', chunk('f'.repeat(40))),
    'a chunk with an extension': login('Transfer-Encoding: chunked', chunk(`${size};name=value`)),
    'a chunk with a long extension': login(
      'Transfer-Encoding: chunked',
      chunk(`${size};${'x'.repeat(40_000)}`),
    ),
    'a Content-Length that is no number': login('Content-Length: abc'),
    'a Content-Length below zero': login('Content-Length: -1'),
    'an endless Content-Length': login(`Content-Length: ${'9'.repeat(30)}`),
    'two Content-Lengths': login(`${fitting}\r\nContent-Length: 1`),
    'a Content-Length beside chunks': login(`${fitting}\r\nTransfer-Encoding: chunked`, chunk(size)),
    'a transfer coding that nobody knows': login('Transfer-Encoding: rot13, chunked', chunk(size)),
    'no Host': login(fitting, body, 'X-Not-Host: 1'),
    'an empty Host': login(fitting, body, 'Host:'),
    'a Host with a space': login(fitting, body, 'Host: a b'),
    'a Host with odd characters': login(fitting, body, 'Host: <script>[::1'),
    'a Host with a port that is none': login(fitting, body, 'Host: 127.0.0.1:99999'),
    'two Hosts': login(fitting, body, 'Host: 127.0.0.1\r\nHost: example.com'),
    'a header with a NUL': login(`${fitting}\r\nX-Odd: a\0b`),
    'a header without a colon': login(`${fitting}\r\nodd`),
    'a header that goes on in the next line': login(`${fitting}\r\nX-Odd: a\r\n b`),
    'headers without end': login(`${fitting}\r\n${'X-Odd: x\r\n'.repeat(20_000)}X: y`),
    'a URL of another kind': `GET http://example.com/v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    'a path that is none': 'GET *%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'a path that is not decodable': 'GET /v1/numbers/%ff%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'a method that is none': `\u00ff\u00fe /${secret} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    'a version that is none': 'GET /healthz HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n',
    'a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    'an upgrade of what has none':
      'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    'an expectation that is none': login(`${fitting}\r\nExpect: 200-maybe`),
    'TLS to a port without it': new Uint8Array([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]),
    'another protocol': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    nothing: '\r\n\r\n\r\n',
  };

  test.for(Object.entries(attempts))('answers %s with a refusal, or hangs up', async ([, bytes]) => {
    const { text, closed } = await raw(bytes, { end: true });
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
    if (status === 0) expect(closed || text === '').toBe(true);
    else
      expect([...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((it) => Number(it[1]) < 500)).not.toContain(
        false,
      );
    expect(text).not.toContain(secret);
  });

  test('lets nobody wait for those who are slow to say what they want', async () => {
    const begun = 'GET /healthz HTTP/1.1\r\nHost: 127.';
    const slow = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = connect(port(), '127.0.0.1').setEncoding('latin1');
        socket.write(begun);
        await once(socket, 'connect');
        return socket;
      }),
    );
    const answer = await fetch(`http://127.0.0.1:${port()}/healthz`);
    expect([answer.status, slow.filter(({ readable }) => !readable)]).toEqual([200, []]);
    for (const socket of slow) expect(await textOf(socket.end())).not.toContain('HTTP/1.1 5');
  });

  test('refuses a body that it does not read, and answers the next request of the same connection or says that it closes', async () => {
    const big = JSON.stringify({ email: secret, password: 'x'.repeat(200_000) });
    const refused = `POST /v1/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${big.length}\r\n\r\n${big}`;
    const next = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
    const { text } = await raw(`${refused}${next}`, { quietMs: 20_000 });
    expect(text).toMatch(/^HTTP\/1\.1 415 /);
    const says = /^connection: close/im.test(text.slice(0, text.indexOf('\r\n\r\n')));
    expect(says || text.includes('{"status":"ok"}'), text).toBe(true);
  });

  test('answers each of many made-up keys on one connection, whose bodies it does not read', async () => {
    const unread = secret.padEnd(10_000, 'x');
    const madeUp = `POST /v1/messages/send HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: sk_live_${'x'.repeat(60)}\r\nContent-Type: application/json\r\nContent-Length: ${unread.length}\r\n\r\n${unread}`;
    const times = 40;
    const last = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
    const { text } = await raw(`${madeUp.repeat(times)}${last}`, { quietMs: 20_000 });
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((it) => Number(it[1]));
    expect(statuses).toHaveLength(times + 1);
    for (const status of statuses.slice(0, times)) expect([401, 429]).toContain(status);
    expect(text).toContain('{"status":"ok"}');
    // In a flood, here from many connections at once, they do not reach the runtime; what comes later tells how many those were.
    const flood = async (connections: number) => {
      const answers = Array.from({ length: connections }, () => raw(`${madeUp}${last}`, { quietMs: 20_000 }));
      for (const { text: again } of await Promise.all(answers))
        expect(again).toMatch(/^HTTP\/1\.1 4(01|29) /);
    };
    for (let wave = 0; wave < 5; wave += 1) await flood(30);
    await waitUntil('That keys were refused in front was not told', async () => {
      await flood(1);
      return gateway.logs().some((log) => log.text.includes('"made_up_keys.refused"')) ? true : null;
    });
  });

  test('is whole after all that: nothing failed, and no log holds what was sent', async () => {
    // Somebody who hangs up in the middle is no fault of ours.
    const half = login(`Content-Length: ${body.length + 10}`);
    await Promise.all(Array.from({ length: 10 }, () => raw(half, { end: true, quietMs: 300 })));
    const message = await customer.send(`after ${secret}`);
    expect(message.messageId).toMatch(/^msg_/);
    expectCleanLogs(gateway, [customer], [secret]);
    const failed = gateway
      .logs()
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => /"request\.failed"|"status":5\d\d|runtime_died/.test(line))
      // Until everything has started.
      .filter((line) => !line.includes('"route":"/readyz"'));
    expect(failed).toEqual([]);
  });
});
