import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import {
  accountPlanSchema,
  accountSchema,
  apiKeyListSchema,
  apiKeySchema,
  createdApiKeySchema,
  trafficSchema,
  usageSchema,
} from './records.ts';

const apiKey = {
  id: example.apiKeyId,
  name: 'Shop server',
  prefix: 'sk_live_1xQ8',
  mode: 'pinned',
  pinnedNumberId: example.numberId,
  onPinFailure: 'fallback',
  scopes: ['messages:send', 'messages:read'],
  createdAt: '2026-01-31T09:00:00.000Z',
  lastUsedAt: null,
};

const accountPlan = {
  accountId: example.accountId,
  name: 'Example Ltd',
  plan: 'free',
  messagesAMonth: 1000,
  storageBytes: 5_368_709_120,
  caps: { numbers: 10, webhooks: 20, keys: 50, members: 25, pairings: 3 },
};
const account = {
  ...accountPlan,
  used: { numbers: 2, webhooks: 1, keys: 3, members: 2 },
  createdAt: '2026-01-15T08:00:00.000Z',
  openToNewUsers: true,
};

const figures = (queued: number) => ({
  queued,
  sent: queued - 2,
  delivered: queued - 5,
  read: queued - 60,
  failed: 2,
  received: 31,
});

export const usageOperations = chapter('Usage', [
  {
    id: 'getUsage',
    route: 'GET /v1/usage',
    summary: "Get this month's usage",
    description:
      'How many messages were accepted this calendar month (UTC) and the limit, by number and by day, and how many ' +
      'bytes of files are stored.',
    answers: [
      answer(200, 'The usage.', usageSchema, {
        period: '2026-01',
        used: 412,
        limit: 1000,
        resetAt: '2026-02-01T00:00:00.000Z',
        byNumber: [{ numberId: example.numberId, used: 412 }],
        byDay: [
          { day: '2026-01-30', used: 187 },
          { day: '2026-01-31', used: 225 },
        ],
        storage: { used: 48_234_496, limit: 5_368_709_120 },
      }),
    ],
  },
  {
    id: 'getAccount',
    route: 'GET /v1/account',
    summary: 'Get the account and its plan',
    description:
      "The account that the token is for: its name, its plan, its usage against the plan's limits, and whom it can " +
      'invite.',
    answers: [answer(200, 'The account.', accountSchema, account)],
  },
  {
    id: 'updateAccount',
    route: 'PATCH /v1/account',
    summary: 'Rename the account',
    description: 'The name appears on invitations.',
    fields: { name: 'The name. It must not look like a URL or a phone number.' },
    examples: { name: { summary: 'A name', value: { name: 'Example Ltd' } } },
    answers: [answer(200, 'The account.', accountSchema, account)],
  },
  {
    id: 'getTraffic',
    route: 'GET /v1/traffic',
    summary: 'Get the traffic by hour or day',
    description:
      'How many messages reached each step, by the hour or day (UTC) in which it happened, for all numbers or one; for ' +
      'charts. Goes back 31 days. By default, `day` starts 29 days ago and `hour` 23 hours ago.',
    parameters: {
      interval: 'What one figure covers: an hour or a day (UTC).',
      since:
        'The first interval is the one that contains this time. At most 31 days or 168 hours before `until`.',
      until: 'The last interval is the one before this time. Defaults to the current interval.',
      numberId: 'Only messages sent or received through this number.',
      groupBy: '`number`: also each number by itself.',
    },
    answers: [
      answer(200, 'The traffic.', trafficSchema, {
        interval: 'day',
        since: '2026-01-30T00:00:00.000Z',
        until: '2026-02-01T00:00:00.000Z',
        data: [
          { at: '2026-01-30T00:00:00.000Z', ...figures(187) },
          { at: '2026-01-31T00:00:00.000Z', ...figures(225) },
        ],
      }),
    ],
  },
  {
    id: 'setPlan',
    route: 'PUT /v1/operator/accounts/:id/plan',
    summary: 'Set the plan of an account',
    description:
      "The plan's quota applies from the next send; this month's usage is kept. Plans other than `free` are the names " +
      'in the variable `PLANS`.',
    fields: { plan: 'The name of the plan.' },
    examples: { free: { summary: 'Back to the free plan', value: { plan: 'free' } } },
    answers: [answer(200, 'The plan of the account.', accountPlanSchema, accountPlan)],
  },
]);

export const apiKeyOperations = chapter('API keys', [
  {
    id: 'createApiKey',
    route: 'POST /v1/auth/api-keys',
    summary: 'Create an API key',
    description: 'The response is the only place where `key` is ever shown.',
    fields: {
      name: 'Your name for it, 1 to 100 characters; the audit log uses it.',
      pinnedNumberId: 'A number that the key always sends through; null for the pool.',
      onPinFailure:
        'When the pinned number is unavailable: `strict` answers 503, `fallback` sends through the pool.',
      scopes:
        'What the key may do. By default everything but `webhooks`, which must be named. A key pinned with `strict` ' +
        'reads only what concerns its number, and cannot have `contacts` and `webhooks`. It can send only the files of ' +
        'its number and those uploaded with it.',
      expiresAt: 'When it expires; never by default.',
      allowedAddresses:
        'IP addresses, or ranges in CIDR notation, from which the key is accepted (`403` elsewhere); all by default.',
    },
    examples: {
      pool: { summary: 'A key for the pool', value: { name: 'Shop server' } },
      deployment: {
        summary: 'A key that manages webhooks, from one network',
        value: { name: 'Deployment', scopes: ['webhooks'], allowedAddresses: ['203.0.113.0/24'] },
      },
      pinned: {
        summary: 'A key pinned to a number',
        value: { name: 'Shop server', pinnedNumberId: example.numberId, onPinFailure: 'fallback' },
      },
    },
    answers: [answer(201, 'The new key.', createdApiKeySchema, { ...apiKey, key: example.apiKey })],
    errors: ['CONFLICT'],
  },
  {
    id: 'listApiKeys',
    route: 'GET /v1/auth/api-keys',
    summary: 'List API keys',
    description: 'The keys that are not revoked, newest first, without their secrets.',
    answers: [
      pageAnswer('A page of keys.', apiKeyListSchema, [
        { ...apiKey, lastUsedAt: '2026-01-31T09:30:00.000Z' },
      ]),
    ],
  },
  {
    id: 'updateApiKey',
    route: 'PATCH /v1/auth/api-keys/:id',
    summary: 'Change an API key',
    description: "Changes the fields you send, from the key's next request on.",
    fields: {
      name: 'Your name for it, 1 to 100 characters.',
      scopes: 'What the key may do from now on.',
      allowedAddresses:
        'IP addresses, or ranges in CIDR notation, from which the key is accepted; null for all.',
      pinnedNumberId: 'A number that the key always sends through; null for the pool.',
      onPinFailure:
        'When the pinned number is unavailable: `strict` answers 503, `fallback` sends through the pool.',
    },
    examples: { unpin: { summary: 'Send through the pool from now on', value: { pinnedNumberId: null } } },
    answers: [
      answer(200, 'The key as it is now.', apiKeySchema, { ...apiKey, mode: 'pool', pinnedNumberId: null }),
    ],
  },
  {
    id: 'revokeApiKey',
    route: 'DELETE /v1/auth/api-keys/:id',
    summary: 'Revoke an API key',
    description: 'The next request with it gets `401`, everywhere.',
    answers: [{ status: 204, description: 'The key is revoked.' }],
  },
]);
