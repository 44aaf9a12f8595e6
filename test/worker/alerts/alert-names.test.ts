import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/worker/db/database.ts';
import { alertSubjectNames } from '../../../src/worker/features/alerts/rows/alert-subjects.ts';
import { ask, openAccount } from '../front-door.ts';

test('an alert calls a webhook by its description, or by its host where there is none', async () => {
  const { accountId, owner: headers } = await openAccount();
  const named = async (more: object) => {
    const json = { url: 'https://shop.example.com/hook', numberIds: 'all', events: 'all', ...more };
    const { body } = await ask('POST', '/v1/webhooks', { headers, json });
    const subject = `webhook:${body.id}`;
    return (await alertSubjectNames(openDatabase(env.DB), accountId, [subject])).names.get(subject);
  };
  expect(await named({ description: 'Order system' })).toBe('Order system');
  expect([await named({}), await named({ description: '' })]).toEqual(Array(2).fill('shop.example.com'));
});
