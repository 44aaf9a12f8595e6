import { expect, test } from 'vitest';
import type { StreamEvent } from '../../src/sdk/client/generated/api-types.ts';
import { Heliograph } from '../../src/sdk/client/heliograph.ts';
import { CursorExpiredError } from '../../src/sdk/client/http/errors.ts';
import { type Answer, breakOff, faultyGateway, hangUp, json, refusal } from './faulty-gateway.ts';

const apiKey = 'sk_live_test';

const eventAt = (place: number) =>
  ({
    cursor: `c${place}`,
    id: `evt_${place}`,
    event: 'webhook.test',
    timestamp: '2026-01-31T09:30:00.123Z',
    data: { message: `${place}` },
  }) satisfies StreamEvent;

/** A stream that begins behind `c0`; each read gets at most `pageMax` events. */
class FakeStream {
  readonly #pageMax: number;
  #head: number;
  /** Whoever waits at the head. */
  #wake: (() => void)[] = [];

  constructor(head: number, pageMax = 3) {
    this.#head = head;
    this.#pageMax = pageMax;
  }

  grow(count: number): void {
    this.#head += count;
    for (const wake of this.#wake.splice(0)) wake();
  }

  readonly answer: Answer = (response, asked) => {
    const query = new URL(asked.url, 'http://localhost').searchParams;
    const after = query.get('after') ?? 'c0';
    const place = after === 'now' ? this.#head : Number(after.slice(1));
    if (place === this.#head && query.has('wait')) {
      this.#wake.push(() => this.answer(response, asked));
      return;
    }
    const last = Math.min(this.#head, place + this.#pageMax);
    const data = Array.from({ length: last - place }, (_, index) => eventAt(place + index + 1));
    json(200, { data, nextCursor: `c${last}`, hasMore: last < this.#head })(response, asked);
  };
}

async function connected(...answers: Answer[]) {
  const gateway = await faultyGateway(...answers);
  return { ...gateway, client: new Heliograph({ apiKey, baseUrl: gateway.baseUrl }) };
}

/** The ids of the first events of a stream. */
async function first(count: number, events: AsyncIterable<StreamEvent>): Promise<string[]> {
  const ids: string[] = [];
  for await (const event of events) {
    ids.push(event.id);
    if (ids.length === count) break;
  }
  return ids;
}

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `evt_${from + index}`);

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

test('whoever follows the events gets each once and in order, those that happen meanwhile too', async () => {
  const stream = new FakeStream(7);
  const { client, heard } = await connected(stream.answer);
  const following = first(12, client.events.follow());
  await expect.poll(() => heard.at(-1)?.url).toContain('after=c7');
  stream.grow(5);
  expect(await following).toEqual(ids(1, 12));
});

test('every fault on the way is got over, and nothing is left out or comes twice', async () => {
  const stream = new FakeStream(40, 2);
  const faults: Answer[] = [
    hangUp,
    refusal(500, 'INTERNAL'),
    breakOff,
    refusal(429, 'RATE_LIMITED', { 'Retry-After': '0' }),
    (response) => response.writeHead(502).end('<html>'),
    hangUp,
    hangUp,
    hangUp,
    hangUp,
  ];
  const answers = faults.flatMap((fault) => [stream.answer, fault]);
  const { client, heard } = await connected(...answers, stream.answer);
  expect(await first(40, client.events.follow({ after: 'c0' }))).toEqual(ids(1, 40));
  expect(heard.length).toBeGreaterThan(20);
});

test('a stream that is taken up again goes on behind the last event that was had', async () => {
  const stream = new FakeStream(9, 4);
  const { client } = await connected(stream.answer);
  let cursor = 'c0';
  const had: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    for await (const event of client.events.follow({ after: cursor })) {
      had.push(event.id);
      cursor = event.cursor;
      if (had.length % 3 === 0) break;
    }
  }
  expect(had).toEqual(ids(1, 9));
});

test('from now on means from the first answer on, also when the next one is lost', async () => {
  const stream = new FakeStream(5);
  const loseAnswer: Answer = (response, asked) => {
    stream.grow(2);
    hangUp(response, asked);
  };
  const { client, heard } = await connected(stream.answer, loseAnswer, stream.answer);
  expect(await first(2, client.events.follow({ after: 'now' }))).toEqual(ids(6, 7));
  expect(heard.filter(({ url }) => url.includes('after=now'))).toHaveLength(1);
});

test('the filter goes with every request', async () => {
  const stream = new FakeStream(4, 2);
  const { client, heard } = await connected(stream.answer);
  const filter = { events: ['message.sent', 'message.failed'] as const, numberId: 'n1' };
  await first(4, client.events.follow(filter));
  for (const { url } of heard) {
    expect(url).toContain('events=message.sent%2Cmessage.failed&numberId=n1');
  }
});

test('a cursor that is too old is an error of its own, which names the oldest that works', async () => {
  const details = [{ path: 'after', message: 'Gone.', oldest: 'c100' }];
  const { client, heard } = await connected(refusal(410, 'CURSOR_EXPIRED', {}, details));
  const error = await failure(first(1, client.events.follow({ after: 'c1' })));
  expect(error).toBeInstanceOf(CursorExpiredError);
  expect(error).toMatchObject({ status: 410, code: 'CURSOR_EXPIRED', oldest: 'c100' });
  expect(heard).toHaveLength(1);
});

test('a credential that is refused ends the loop', async () => {
  const { client } = await connected(refusal(401, 'INVALID_API_KEY'));
  expect(await failure(first(1, client.events.follow()))).toMatchObject({ code: 'INVALID_API_KEY' });
});

test('whoever follows can stop while there is nothing', async () => {
  const { client, heard } = await connected(new FakeStream(1).answer);
  const stopping = new AbortController();
  const following = failure(first(2, client.events.follow({ signal: stopping.signal })));
  await expect.poll(() => heard.at(-1)?.url).toContain('after=c1');
  const reason = new Error('enough');
  stopping.abort(reason);
  expect(await following).toBe(reason);
});

test('a single page says where to go on', async () => {
  const { client, heard } = await connected(new FakeStream(5).answer);
  const page = await client.events.list({}, { after: 'c1', limit: 3, waitSeconds: 10 });
  expect(page).toEqual({ data: [eventAt(2), eventAt(3), eventAt(4)], nextCursor: 'c4', hasMore: true });
  expect(heard[0]?.url).toBe('/v1/events?after=c1&limit=3&wait=10');
});

test('a batch is repeated under the same idempotency key, and says what became of each message', async () => {
  const outcome = {
    accepted: 1,
    refused: 1,
    data: [
      { index: 0, messageId: 'msg_1', status: 'queued' },
      { index: 1, error: { code: 'RECIPIENT_INVALID', message: 'No phone number.' } },
    ],
  };
  const { client, heard } = await connected(hangUp, json(202, outcome));
  const messages = [
    { to: '628123456789', text: 'hello' },
    { to: 'nobody', text: 'hello', idempotencyKey: 'order-1042' },
  ];
  expect(await client.messages.sendBatch(messages)).toEqual(outcome);
  expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/messages/send-batch',
    'POST /v1/messages/send-batch',
  ]);
  expect(heard.map(({ body }) => body)).toEqual([{ messages }, { messages }]);
  const keys = heard.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});
