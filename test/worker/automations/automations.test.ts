import { env, exports } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { AutomationSender } from '../../../src/worker/features/automations/running/automation-sender.ts';
import { wrote } from '../../durable/automations/automation-fixture.ts';
import { until } from '../../durable/until.ts';
import {
  addConnectedNumber,
  ask,
  eventually,
  openAccount,
  reportToAccount,
  type TestAccount,
  writeToNumber,
} from '../front-door.ts';
import { png } from '../media/media-samples.ts';
import { interceptCallbacks, receiver } from '../webhooks/webhook-receiver.ts';

interceptCallbacks();

const url = 'https://example.com/hook';
const customer = '628123456789';

const keyword = {
  name: 'Prices',
  on: 'message.received',
  conditions: [{ field: 'text', operator: 'contains', value: 'price' }],
  actions: [{ type: 'reply', text: 'Hi {{name|there}}, here is our list.' }],
};

const create = ({ owner }: TestAccount, json: object) =>
  ask('POST', '/v1/automations', { headers: owner, json });

async function accountWithNumber() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  return { account, numberId };
}

const tell = ({ accountId }: TestAccount, numberId: string, text: string, from = customer) =>
  logOf(env, accountId).take([wrote(numberId, text, { from })]);

const runsOf = async ({ owner }: TestAccount, id: string, query = '') =>
  (await ask('GET', `/v1/automations/${id}/runs${query}`, { headers: owner })).body.data;

/** The only run, once all of its actions have ended. */
const endedRun = (account: TestAccount, id: string) =>
  eventually(async () => {
    const [run] = await runsOf(account, id, '?ran=true');
    const states: string[] = run?.actions.map(({ state }: { state: string }) => state) ?? [];
    return run !== undefined && !states.includes('pending') && run;
  });

const outbound = async ({ owner }: TestAccount) =>
  (await ask('GET', '/v1/messages?direction=outbound', { headers: owner })).body.data;

describe('an automation', () => {
  test('is made, read, changed, moved and deleted, and each change is in the audit log', async () => {
    const account = await openAccount();
    const first = await create(account, keyword);
    expect(first).toMatchObject({
      status: 201,
      body: {
        ...keyword,
        enabled: true,
        position: 0,
        cooldownSeconds: 0,
        inGroups: false,
        waitingMinutes: null,
      },
    });
    expect(first.body.secret).toMatch(/^whsec_/);
    const second = await create(account, { ...keyword, name: 'Second' });
    const third = await create(account, { ...keyword, name: 'Third' });
    const { owner } = account;
    const path = `/v1/automations/${third.body.automationId}`;
    const moved = await ask('PATCH', path, { headers: owner, json: { position: 0, name: 'First now' } });
    expect(moved.body).toMatchObject({ position: 0, name: 'First now' });
    const names = async () =>
      (await ask('GET', '/v1/automations', { headers: owner })).body.data.map(
        ({ name, position }: { name: string; position: number }) => `${position} ${name}`,
      );
    expect(await names()).toEqual(['0 First now', '1 Prices', '2 Second']);
    expect(
      (await ask('DELETE', `/v1/automations/${first.body.automationId}`, { headers: owner })).status,
    ).toBe(204);
    expect(await names()).toEqual(['0 First now', '2 Second']);
    const pages = await ask('GET', '/v1/automations?limit=1', { headers: owner });
    const next = await ask('GET', `/v1/automations?limit=1&cursor=${pages.body.nextCursor}`, {
      headers: owner,
    });
    expect(next.body).toMatchObject({ data: [{ name: 'Second' }], nextCursor: null });
    const rotated = await ask('POST', `/v1/automations/${second.body.automationId}/rotate-secret`, {
      headers: owner,
    });
    expect(rotated.body.secret).not.toBe(second.body.secret);
    // What changes nothing is no change.
    const same = `/v1/automations/${second.body.automationId}`;
    expect((await ask('PATCH', same, { headers: owner, json: {} })).body.name).toBe('Second');
    const { body } = await ask('GET', '/v1/audit-log', { headers: owner });
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action.startsWith('automation.')).sort()).toEqual([
      'automation.created',
      'automation.created',
      'automation.created',
      'automation.deleted',
      'automation.moved',
      'automation.secret_rotated',
      'automation.updated',
    ]);
  });

  test('is nobody else’s', async () => {
    const { body } = await create(await openAccount(), keyword);
    const { owner } = await openAccount();
    const path = `/v1/automations/${body.automationId}`;
    for (const [method, where] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['GET', `${path}/runs`],
      ['POST', `${path}/rotate-secret`],
    ] as const) {
      const answer = await ask(method, where, { headers: owner, ...(method === 'PATCH' && { json: {} }) });
      expect(answer.status).toBe(404);
    }
  });

  test.each([
    [
      'a pattern that cannot be read',
      { conditions: [{ field: 'text', operator: 'matches', value: '(' }] },
      'conditions.0.value',
    ],
    [
      'an operator that does not fit',
      { conditions: [{ field: 'hours', operator: 'contains', value: 'inside' }] },
      'conditions.0.operator',
    ],
    [
      'a number of somebody else',
      { conditions: [{ field: 'numberId', operator: 'equals', value: crypto.randomUUID() }] },
      'conditions.0.value',
    ],

    [
      'a country that is none',
      { conditions: [{ field: 'country', operator: 'equals', value: 'Indonesia' }] },
      'conditions.0.value',
    ],
    [
      'a field that is none',
      { conditions: [{ field: 'colour', operator: 'equals', value: 'x' }] },
      'conditions.0.field',
    ],
    ['no action', { actions: [] }, 'actions'],
    ['a variable that is none', { actions: [{ type: 'reply', text: 'Hi {{nmae}}' }] }, 'actions.0.text'],
    ['one in a note', { actions: [{ type: 'note', text: '{{contact.name}}' }] }, 'actions.0.text'],
    [
      'one in a caption',
      {
        actions: [
          { type: 'reply', media: { type: 'image', url: 'https://example.com/a', caption: '{{x}}' } },
        ],
      },
      'actions.0.media.caption',
    ],
    ['a reply of nothing', { actions: [{ type: 'reply' }] }, 'actions.0.text'],
    [
      'a callback to this machine',
      { actions: [{ type: 'call_webhook', url: 'http://169.254.169.254/' }] },
      'actions.0.url',
    ],
    [
      'a file that is not there',
      { actions: [{ type: 'reply', media: { type: 'image', mediaId: crypto.randomUUID() } }] },
      'actions.0.media.mediaId',
    ],
    [
      'a picture on this machine',
      { actions: [{ type: 'reply', media: { type: 'image', url: 'http://169.254.169.254/' } }] },
      'actions.0.media.url',
    ],
    ['a text of a wait', { on: 'conversation.waiting', waitingMinutes: 5 }, 'conditions.0.field'],
    ['a wait without a time', { on: 'conversation.waiting', conditions: [] }, 'waitingMinutes'],
    [
      'something behind a stop',
      { actions: [{ type: 'stop' }, { type: 'note', text: 'x' }] },
      'actions.0.type',
    ],
    ['an unknown field', { coolDown: 5 }, 'coolDown'],
  ])('is refused for %s, and the field is named', async (_what, more, field) => {
    const account = await openAccount();
    const refused = await create(account, { ...keyword, ...more });
    expect(refused.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: field }] });
    expect(refused.status).toBe(400);
    const { body } = await create(account, keyword);
    const path = `/v1/automations/${body.automationId}`;
    const change = await ask('PATCH', path, { headers: account.owner, json: more });
    expect(change.body.error?.details?.[0]?.path).toBe(field);
  });
});

describe('who writes', () => {
  test('gets the reply once, from the number that they wrote to', async () => {
    const { account, numberId } = await accountWithNumber();
    const { body } = await create(account, keyword);
    await tell(account, numberId, 'What is the price?');
    const run = await endedRun(account, body.automationId);
    const [message] = await eventually(async () => {
      const messages = await outbound(account);
      return messages.length > 0 && messages;
    });
    expect(message).toMatchObject({
      numberId,
      to: customer,
      text: 'Hi Budi, here is our list.',
      origin: { kind: 'automation', automationId: body.automationId, depth: 1 },
    });
    expect(run.actions).toEqual([{ type: 'reply', state: 'done', messageId: message.messageId }]);
    expect(await outbound(account)).toHaveLength(1);
    const { body: shown } = await ask('GET', `/v1/automations/${body.automationId}`, {
      headers: account.owner,
    });
    expect(shown.stats).toEqual({ runs: 1, lastRunAt: run.at });
    expect((await ask('GET', '/v1/automations', { headers: account.owner })).body.data).toEqual([shown]);
    await tell(account, numberId, 'Hello');
    await eventually(async () => (await runsOf(account, body.automationId)).length === 2);
    expect(await runsOf(account, body.automationId, '?ran=true')).toEqual([run]);
    expect(await runsOf(account, body.automationId, '?ran=false')).toMatchObject([{ ran: false }]);
    const path = `/v1/automations/${body.automationId}`;
    expect((await ask('GET', path, { headers: account.owner })).body.stats).toEqual(shown.stats);
    const { automationId } = (await create(account, { ...keyword, name: 'In its place' })).body;
    await ask('DELETE', `/v1/automations/${body.automationId}`, { headers: account.owner });
    await tell(account, numberId, 'And the price of the other one?', '5511987654321');
    await endedRun(account, automationId);
    expect(
      await logOf(env, account.accountId).automationRuns(body.automationId, 10, null, null),
    ).toHaveLength(2);
  });

  test('gets the reply of the rule that was moved before the others, and of the next one when that is gone', async () => {
    const { account, numberId } = await accountWithNumber();
    const says = (text: string) =>
      create(account, { ...keyword, actions: [{ type: 'reply', text }, { type: 'stop' }] });
    const [, second] = [await says('first'), await says('second')];
    const path = `/v1/automations/${second.body.automationId}`;
    const textsAfter = async (count: number) =>
      eventually(async () => {
        const texts = (await outbound(account)).map(({ text }: { text: string }) => text);
        return texts.length === count && texts;
      });
    await ask('PATCH', path, { headers: account.owner, json: { position: 0 } });
    await tell(account, numberId, 'price');
    expect(await textsAfter(1)).toEqual(['second']);
    await ask('DELETE', path, { headers: account.owner });
    await tell(account, numberId, 'price');
    expect(await textsAfter(2)).toEqual(['first', 'second']);
  });

  test('gets nothing after they have opted out', async () => {
    const { account, numberId } = await accountWithNumber();
    const { body } = await create(account, keyword);
    await writeToNumber(account, numberId, customer, 'STOP');
    await tell(account, numberId, 'price');
    const run = await endedRun(account, body.automationId);
    expect(run.actions).toMatchObject([
      { state: 'failed', reason: 'refused', words: expect.stringMatching(/opted out/) },
    ]);
    expect(await outbound(account)).toEqual([]);
  });

  test('gets a picture', async () => {
    const { account, numberId } = await accountWithNumber();
    const stored = await ask('POST', '/v1/media', {
      headers: { ...account.owner, 'Content-Type': 'image/png' },
      raw: png(2, 2),
    });
    const { mediaId } = stored.body;
    const media = { type: 'image', mediaId, caption: 'For {{name}}' };
    const { body } = await create(account, { ...keyword, actions: [{ type: 'reply', media }] });
    await tell(account, numberId, 'price');
    await endedRun(account, body.automationId);
    const [message] = await eventually(async () => {
      const messages = await outbound(account);
      return messages.length > 0 && messages;
    });
    expect(message).toMatchObject({ messageType: 'image', text: 'For Budi', media: { mediaId } });
  });

  test('gets a picture of another host once, also when nobody knows whether it was sent', async () => {
    const { account, numberId } = await accountWithNumber();
    const carriedOut = vi.spyOn(AutomationSender.prototype, 'carryOut');
    onTestFinished(() => carriedOut.mockRestore());
    const media = { type: 'image', url: 'https://example.com/list.png' };
    const { body } = await create(account, { ...keyword, actions: [{ type: 'reply', media }] });
    await tell(account, numberId, 'price');
    const run = await endedRun(account, body.automationId);
    const [orders = []] = carriedOut.mock.calls.map(([, some]) => some);
    const [{ messageId }] = run.actions;
    expect(await exports.AutomationSender.carryOut(account.accountId, orders)).toEqual([
      { kind: 'done', messageId },
    ]);
  });

  test('gets the reply later while the number is away', async () => {
    const { account, numberId } = await accountWithNumber();
    const { body } = await create(account, keyword);
    await reportToAccount(account, numberId, { state: 'disconnected', revision: 2_000 });
    await tell(account, numberId, 'price');
    const [run] = await eventually(async () => {
      const runs = await runsOf(account, body.automationId);
      return runs[0]?.actions[0].words && runs;
    });
    expect(run.actions).toMatchObject([{ type: 'reply', state: 'pending', reason: 'refused' }]);
    expect(await outbound(account)).toEqual([]);
  });
});

describe('a callback of a rule', () => {
  const calling = { ...keyword, actions: [{ type: 'call_webhook', url }] };

  test('is signed as those of webhooks, and tells what has happened', async () => {
    const { account, numberId } = await accountWithNumber();
    const hook = receiver(url);
    const { body: made } = await create(account, calling);
    const path = `/v1/automations/${made.automationId}/rotate-secret`;
    const { body } = await ask('POST', path, { headers: account.owner });
    await tell(account, numberId, 'price?');
    const run = await endedRun(account, body.automationId);
    expect(run.actions).toEqual([{ type: 'call_webhook', state: 'done' }]);
    const [callback] = hook.callbacks;
    const timestamp = callback?.headers['x-service-timestamp'];
    const signature = (secret: string) =>
      createHmac('sha256', secret).update(`${callback?.body}.${timestamp}`).digest('hex');
    expect(callback?.headers).toMatchObject({
      'x-service-signature': signature(body.secret),
      'x-service-signature-previous': signature(made.secret),
      'x-service-event': 'automation.run',
      'x-service-attempt': '1',
    });
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({
      event: 'automation.run',
      data: {
        automationId: body.automationId,
        from: customer,
        numberId,
        eventId: run.eventId,
        message: { text: 'price?' },
        contact: { name: 'Budi' },
      },
    });
    expect(hook.callbacks).toHaveLength(1);
  });

  test('that is refused by the receiver ends, and says so', async () => {
    const { account, numberId } = await accountWithNumber();
    receiver(url, () => new Response('no', { status: 404 }));
    const { body } = await create(account, calling);
    await tell(account, numberId, 'price?');
    const run = await endedRun(account, body.automationId);
    expect(run.actions).toMatchObject([
      {
        type: 'call_webhook',
        state: 'failed',
        reason: 'webhook_failed',
        // There is no delivery of it that could be made again.
        words: '404 is final: 4xx answers are not retried. The automation calls again when it runs next.',
      },
    ]);
  });

  test('that finds the receiver down is made again', async () => {
    const { account, numberId } = await accountWithNumber();
    const hook = receiver(url, () => new Response(null, { status: 503 }));
    const carriedOut = vi.spyOn(AutomationSender.prototype, 'carryOut');
    onTestFinished(() => carriedOut.mockRestore());
    const { body } = await create(account, calling);
    await tell(account, numberId, 'price?');
    const [run] = await eventually(async () => {
      const runs = await runsOf(account, body.automationId);
      return runs[0]?.actions[0].words && runs;
    });
    expect(run.actions).toMatchObject([
      { state: 'pending', reason: 'webhook_failed', words: expect.stringMatching(/503/) },
    ]);
    // The next attempt is another one at the same delivery.
    const [orders = []] = carriedOut.mock.calls.map(([, some]) => some);
    const again = orders.map((order) => ({ ...order, attempt: 2 }));
    await exports.AutomationSender.carryOut(account.accountId, again);
    const [one, two] = hook.callbacks.map(({ headers }) => headers);
    expect(two).toMatchObject({
      'x-service-attempt': '2',
      'x-service-delivery-id': one?.['x-service-delivery-id'],
      'webhook-id': one?.['webhook-id'],
    });
  });
});

test('a dry run tells of the past, saved or not, and sends nothing', async () => {
  const { account, numberId } = await accountWithNumber();
  await tell(account, numberId, 'price?');
  await tell(account, numberId, 'hello');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { owner } = account;
  const draft = await ask('POST', '/v1/automations/dry-run', {
    headers: owner,
    json: { since, automation: { ...keyword, name: 'Prices', enabled: false } },
  });
  expect(draft).toMatchObject({
    status: 200,
    body: { counts: { events: 2, runs: 1, no: { condition: 1 } } },
  });
  const { body } = await create(account, { ...keyword, actions: [...keyword.actions, { type: 'stop' }] });
  const saved = await ask('POST', `/v1/automations/${body.automationId}/dry-run`, {
    headers: owner,
    json: { since },
  });
  // It stands in its own place: it does not stop itself.
  expect(saved.body.counts).toEqual(draft.body.counts);
  const bad = await ask('POST', '/v1/automations/dry-run', {
    headers: owner,
    json: { since, automation: { ...keyword, on: 'conversation.waiting' } },
  });
  expect(bad.body.error.details[0].path).toBe('automation.waitingMinutes');
  expect(await outbound(account)).toEqual([]);
});

test('a dry run looks no further back than events are kept, which is 30 days', async () => {
  const { account } = await accountWithNumber();
  const day = 24 * 3_600_000;
  const lookedSince = vi.spyOn(EventLog.prototype, 'dryRunAutomation');
  onTestFinished(() => lookedSince.mockRestore());
  const before = Date.now();
  for (const days of [29, 400]) {
    const since = new Date(before - days * day).toISOString();
    const json = { since, automation: keyword };
    expect((await ask('POST', '/v1/automations/dry-run', { headers: account.owner, json })).status).toBe(200);
  }
  const [recent, long] = lookedSince.mock.calls.map(([, since]) => since);
  expect(recent).toBe(before - 29 * day);
  expect(long).toBeGreaterThanOrEqual(before - 30 * day);
});

test('a dry run promises nothing to whoever had opted out by then', async () => {
  const { account, numberId } = await accountWithNumber();
  await writeToNumber(account, numberId, customer, 'STOP');
  await tell(account, numberId, 'price?');
  await tell(account, numberId, 'price?', '5511987654321');
  const later = '5511987654322';
  const asked = wrote(numberId, 'price?', { from: later, at: Date.now() - 60_000 });
  await logOf(env, account.accountId).take([asked]);
  const askedBy = Date.now();
  await until(() => Date.now() > askedBy);
  await writeToNumber(account, numberId, later, 'STOP');
  const { body } = await ask('POST', '/v1/automations/dry-run', {
    headers: account.owner,
    json: { since: new Date(Date.now() - 3_600_000).toISOString(), automation: keyword },
  });
  const to = (person: string) =>
    body.data.find((entry: { person: string; runs: boolean }) => entry.person === person && entry.runs);
  expect(to(customer)).toMatchObject({
    replies: [],
    notReplied: { reason: 'refused', words: 'The recipient has opted out.' },
  });
  expect(to('5511987654321')).toMatchObject({ replies: ['Hi Budi, here is our list.'] });
  expect(to('5511987654321')).not.toHaveProperty('notReplied');
  expect(to(later)).not.toHaveProperty('notReplied');
});
