import { expect, test } from 'vitest';
import { ask, openAccount } from '../front-door.ts';

/** Two segments, a page of one of them, and the cursor of the next. */
async function accountWithSegments() {
  const { owner: headers } = await openAccount();
  const filter = { labels: ['vip'] };
  for (const name of ['first', 'second'])
    await ask('POST', '/v1/segments', { headers, json: { name, filter } });
  const { body } = await ask('GET', '/v1/segments?limit=1', { headers });
  return { headers, cursor: body.nextCursor as string };
}

test('a cursor goes on in the list that has given it', async () => {
  const { headers, cursor } = await accountWithSegments();
  const { status, body } = await ask('GET', `/v1/segments?cursor=${cursor}`, { headers });
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: [{ name: 'first' }], nextCursor: null });
});

test('a cursor of one list is none of any other, though both go by ids', async () => {
  const { headers, cursor } = await accountWithSegments();
  const others = [
    ...['/v1/teams', '/v1/webhooks', '/v1/numbers', '/v1/campaigns', '/v1/contacts', '/v1/automations'],
    ...['/v1/assistants', '/v1/alerts', '/v1/audit-log', '/v1/auth/api-keys', '/v1/opt-outs'],
  ];
  const answers = await Promise.all(
    others.map(async (path) => [path, await ask('GET', `${path}?cursor=${cursor}`, { headers })] as const),
  );
  for (const [path, { status, body }] of answers) {
    const details = [{ path: 'cursor', message: 'Must be the nextCursor of the previous page.' }];
    expect([path, status, body.error]).toMatchObject([path, 400, { code: 'VALIDATION_ERROR', details }]);
  }
});

test('a cursor of what belongs to one thing is none of what belongs to another', async () => {
  const { owner: headers } = await openAccount();
  const make = async (name: string) => {
    const json = { name, on: 'message.received', conditions: [], actions: [{ type: 'note', text: 'x' }] };
    const { body } = await ask('POST', '/v1/automations', { headers, json });
    return `/v1/automations/${body.automationId}/runs`;
  };
  const [one, other] = [await make('one'), await make('other')];
  const cursorOf = (path: string) => btoa(`${path} 01934567-89ab-7def-8123-456789abcdef`).replaceAll('=', '');
  const asked = async (path: string, cursor: string) =>
    (await ask('GET', `${path}?cursor=${cursor}`, { headers })).status;
  expect(await asked(one, cursorOf(one))).toBe(200);
  expect(await asked(other, cursorOf(one))).toBe(400);
});
