import { expect, test } from 'vitest';
import { addConnectedNumber, ask, openAccount, reportToAccount } from '../front-door.ts';

test('numbers are listed newest first, page by page', async () => {
  const account = await openAccount();
  const ids: string[] = [];
  for (const label of ['one', 'two', 'three']) {
    const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label } });
    ids.unshift(body.numberId);
  }
  const idsOf = (data: { numberId: string }[]) => data.map(({ numberId }) => numberId);
  const first = await ask('GET', '/v1/numbers?limit=2', { headers: account.server });
  expect(idsOf(first.body.data)).toEqual(ids.slice(0, 2));
  const cursor = encodeURIComponent(first.body.nextCursor);
  const second = await ask('GET', `/v1/numbers?limit=2&cursor=${cursor}`, { headers: account.owner });
  expect(idsOf(second.body.data)).toEqual(ids.slice(2));
  expect(second.body.nextCursor).toBeNull();
});

test('a number that has never reported to its account is unpaired', async () => {
  const account = await openAccount();
  const made = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const unpaired = { state: 'unpaired', health: 'unavailable', phoneNumber: null, connectedAt: null };
  expect(made).toMatchObject({ status: 201, body: { ...unpaired, label: 'Sales' } });
  const { data } = (await ask('GET', '/v1/numbers', { headers: account.server })).body;
  expect(data).toEqual([made.body]);
});

test('the list shows what the account was told last, with all that the number itself shows', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const at = Date.UTC(2026, 10, 22);
  const until = Date.now() + 60_000;
  await reportToAccount(account, body.numberId, {
    phoneNumber: '15550000007',
    connectedAt: at,
    lastSeenAt: at,
    health: { status: 'resting', reason: 'Too many failures.', until },
  });
  const { data } = (await ask('GET', '/v1/numbers', { headers: account.server })).body;
  expect(data).toEqual([
    {
      ...body,
      state: 'connected',
      phoneNumber: '15550000007',
      connectedAt: new Date(at).toISOString(),
      lastSeenAt: new Date(at).toISOString(),
      health: 'resting',
      healthUntil: new Date(until).toISOString(),
      reason: 'Too many failures.',
    },
  ]);
});

test('a number taken out of the pool is chosen no more, from the next send on', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const path = `/v1/numbers/${numberId}`;
  const send = () =>
    ask('POST', '/v1/messages/send', {
      headers: account.server,
      json: { to: '628123456789', text: 'hello' },
    });
  expect(await send()).toMatchObject({ status: 202, body: { numberId } });
  const changed = await ask('PATCH', path, {
    headers: account.owner,
    json: { inPool: false, label: 'Desk' },
  });
  expect(changed).toMatchObject({ status: 200, body: { numberId, inPool: false, label: 'Desk' } });
  expect(await send()).toMatchObject({ status: 503, body: { error: { code: 'NO_HEALTHY_SENDER' } } });
  await ask('PATCH', path, { headers: account.owner, json: { inPool: true } });
  expect(await send()).toMatchObject({ status: 202, body: { numberId } });
  expect((await ask('GET', path, { headers: account.server })).body).toMatchObject({
    label: 'Desk',
    inPool: true,
  });
});

test('a deleted number is gone at once: from the list, from the pool, and from under its pinned key', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const pinned = await ask('POST', '/v1/auth/api-keys', {
    headers: account.owner,
    json: { name: 'pinned', pinnedNumberId: numberId },
  });
  const path = `/v1/numbers/${numberId}`;
  expect(await ask('DELETE', path, { headers: account.owner })).toMatchObject({ status: 204, text: '' });
  expect(await ask('DELETE', path, { headers: account.owner })).toMatchObject({ status: 404 });
  expect(await ask('GET', path, { headers: account.owner })).toMatchObject({ status: 404 });
  expect((await ask('GET', '/v1/numbers', { headers: account.server })).body.data).toEqual([]);
  const json = { to: '628123456789', text: 'hello' };
  expect(await ask('POST', '/v1/messages/send', { headers: account.server, json })).toMatchObject({
    status: 503,
    body: { error: { code: 'NO_HEALTHY_SENDER' } },
  });
  const strict = { 'X-API-Key': pinned.body.key };
  expect(await ask('POST', '/v1/messages/send', { headers: strict, json })).toMatchObject({
    status: 503,
    body: { error: { code: 'SENDER_UNAVAILABLE' } },
  });
});

test('a pairing by code takes the phone number in any usual writing', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const paired = await ask('POST', `/v1/numbers/${body.numberId}/pair`, {
    headers: account.owner,
    json: { method: 'code', phoneNumber: '+62 812-3456-789' },
  });
  expect(paired).toMatchObject({ status: 202, body: { state: 'pairing' } });
  const pairing = await ask('GET', `/v1/numbers/${body.numberId}/pairing`, { headers: account.owner });
  expect(pairing).toMatchObject({ status: 200, body: { method: 'code', qr: null, code: null } });
  expect(pairing.headers.get('Cache-Control')).toBe('no-store');
});
