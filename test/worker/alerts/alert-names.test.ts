import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/worker/db/database.ts';
import { alertSubjectNames } from '../../../src/worker/features/alerts/rows/alert-subjects.ts';
import { ask, openAccount } from '../front-door.ts';

test('alerts call a webhook as people have called it, else by its host, and know nothing of other accounts', async () => {
  const [account, stranger] = [await openAccount('Example Ltd'), await openAccount()];
  const url = 'https://receiver.example.com/hooks?token=secret';
  const add = async (more: object, headers = account.owner) => {
    const json = { url, events: 'all', numberIds: 'all', ...more };
    return (await ask('POST', '/v1/webhooks', { headers, json })).body.id as string;
  };
  const [named, unnamed, foreign] = [
    await add({ description: 'Orders' }),
    await add({}),
    await add({ description: 'Theirs' }, stranger.owner),
  ];
  const number = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const subjects = [
    `webhook:${named}`,
    `webhook:${unnamed}`,
    `webhook:${foreign}`,
    `number:${number.body.numberId}`,
  ];
  const { accountName, names } = await alertSubjectNames(openDatabase(env.DB), account.accountId, subjects);
  expect(accountName).toBe('Example Ltd');
  expect(subjects.map((subject) => names.get(subject))).toEqual([
    'Orders',
    'receiver.example.com',
    undefined,
    'Sales',
  ]);
});
