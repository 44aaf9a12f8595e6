import { expect, test } from 'vitest';
import { Heliograph } from '../../src/sdk/client/heliograph.ts';
import { type Answer, faultyGateway, json, refusal } from './faulty-gateway.ts';

const event = (place: number) => JSON.stringify({ cursor: `c${place}`, id: `evt_${place}` });

/** Pieces of a stream as the network cuts them. */
const pieces =
  (...parts: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };

async function heardLive(answer: Answer) {
  const { baseUrl, heard } = await faultyGateway(answer);
  const client = new Heliograph({ baseUrl, token: () => 'good' });
  const { signal } = new AbortController();
  let opened = 0;
  const ids: string[] = [];
  const onOpen = () => {
    opened += 1;
  };
  for await (const { id } of client.events.live({ after: 'c0', signal, onOpen })) ids.push(id);
  return { ids, opened, heard };
}

test('a live stream gives each event once, however the network cuts it, and ends with its connection', async () => {
  const [one, two] = [`id: c1\ndata: ${event(1)}\n\n`, `id: c2\ndata: ${event(2)}\n\n`];
  const { ids, opened, heard } = await heardLive(
    pieces(':\n\n', one.slice(0, 20), one.slice(20) + two, 'id: c7\n\n:\n\n'),
  );
  expect(ids).toEqual(['evt_1', 'evt_2']);
  expect(opened).toBe(1);
  expect(heard[0]?.url).toBe('/v1/events/live?after=c0');
  expect(heard[0]?.headers.authorization).toBe('Bearer good');
});

test('a live stream that is refused says why', async () => {
  await expect(heardLive(refusal(410, 'CURSOR_EXPIRED'))).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
});

test('while nobody is signed in, calls that need no credential carry none', async () => {
  const { baseUrl, heard } = await faultyGateway(json(202, { status: 'sent_if_known' }));
  const client = new Heliograph({ baseUrl, token: () => null });
  await client.request({
    method: 'POST',
    path: '/v1/auth/password/forgot',
    body: { email: 'a@example.com' },
  });
  expect(heard[0]?.headers).not.toHaveProperty('authorization');
});
