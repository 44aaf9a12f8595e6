import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../../src/worker/features/account/keys/api-key.ts';
import { type Ask, addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';

const account = await openAccount();
const numberId = await addConnectedNumber(account);
const stranger = await openAccount();
const strangersNumberId = await addConnectedNumber(stranger, '15550000009');
const before = await everythingOf(account);

/** Everything that a request could have left behind. */
async function everythingOf({ accountId, server }: TestAccount) {
  const tables = ['api_keys', 'numbers', 'webhooks'];
  const rows = await Promise.all(
    tables.map((table) =>
      env.DB.prepare(`select * from ${table} where account_id = ?`).bind(accountId).all(),
    ),
  );
  const counts = await env.DB.prepare(
    'select (select count(*) from users) as users, (select count(*) from accounts) as accounts',
  ).first();
  const audited = await env.AUDIT_LOG.getByName(accountId).list(1000, undefined);
  const usage = await ask('GET', '/v1/usage', { headers: server });
  const messages = await ask('GET', '/v1/messages', { headers: server });
  // The time of the key's last use is flushed now and then, whatever the request was.
  const keys = rows.map(({ results }) => results.map(({ last_used_at: _, ...row }) => row));
  return { rows: keys, counts, audited, usage: usage.body, messages: messages.body };
}

interface BadInput extends Ask {
  method?: string;
  path: string;
  as?: 'server' | 'owner' | 'operator' | 'nobody';
  status: number;
  code: string;
  /** The path of the field that `details` must name first; null: no details. */
  field: string | null;
  /** What `details` say besides. */
  limit?: { bytesMax: number };
}

const credentials: Record<NonNullable<BadInput['as']>, Record<string, string>> = {
  server: account.server,
  owner: account.owner,
  operator: { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` },
  nobody: {},
};

function refuses(title: string, inputs: Record<string, BadInput>) {
  describe(title, () => {
    test.each(Object.entries(inputs))('%s', async (_name, input) => {
      const { method = 'POST', path, as = 'server', status, code, field, limit, headers, ...body } = input;
      const answer = await ask(method, path, { ...body, headers: { ...credentials[as], ...headers } });
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
      const requestId = answer.headers.get('X-Request-Id');
      expect(requestId).toMatch(/^req_[0-9a-f-]{36}$/);
      expect(answer.body).toEqual({
        error: {
          code,
          message: expect.stringMatching(/^[A-Z].*\.$/),
          requestId,
          ...(field === null ? {} : { details: expect.any(Array) }),
        },
      });
      if (field !== null) {
        const message = expect.stringMatching(/\S/);
        expect(answer.body.error.details[0]).toEqual({ path: field, message, ...limit });
      }
    });
  });
}

const good = { to: '628123456789', text: 'hello' };
const json = (raw: BodyInit, type = 'application/json') => ({ raw, headers: { 'Content-Type': type } });
const invalid = { status: 400, code: 'VALIDATION_ERROR' };
const path = '/v1/messages/send';
const send = (fields: Record<string, unknown>, field: string): BadInput => ({
  path,
  json: fields,
  ...invalid,
  field,
});
const recipient = (to: string, code = 'RECIPIENT_INVALID'): BadInput => ({
  path,
  json: { ...good, to },
  status: 422,
  code,
  field: 'to',
});

/** A body of unknown length: no Content-Length goes with it. */
const chunked = (bytes: number) =>
  new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < bytes; sent += 65_536) controller.enqueue(new Uint8Array(65_536).fill(0x20));
      controller.close();
    },
  });

refuses('a send is refused for its fields:', {
  'no to': send({ text: 'hello' }, 'to'),
  'to is a number': send({ ...good, to: 628123456789 }, 'to'),
  'to is null': send({ ...good, to: null }, 'to'),
  'to is a list': send({ ...good, to: ['628123456789'] }, 'to'),
  'no text': send({ to: good.to }, 'text'),
  'text is empty': send({ ...good, text: '' }, 'text'),
  'text is a number': send({ ...good, text: 42 }, 'text'),
  'text is too long': send({ ...good, text: 'x'.repeat(4097) }, 'text'),
  'text is too long, in emoji': send({ ...good, text: '😀'.repeat(4097) }, 'text'),
  'text holds NUL': send({ ...good, text: 'a\0b' }, 'text'),
  'an unknown field': send({ ...good, txet: 'hello' }, 'txet'),
  'a field that comes later': send({ ...good, mentions: [] }, 'mentions'),
  'an unknown type': send({ ...good, type: 'fax' }, 'type'),
  'a picture from nowhere': send({ to: good.to, type: 'image', image: { caption: 'hi' } }, 'image'),
  'a picture from two places': send(
    { to: good.to, type: 'image', image: { mediaId: crypto.randomUUID(), data: 'AAAA' } },
    'image',
  ),
  'a picture that is stored nowhere': send(
    { to: good.to, type: 'image', image: { mediaId: crypto.randomUUID() } },
    'image.mediaId',
  ),
  'a picture whose id is none': send(
    { to: good.to, type: 'image', image: { mediaId: 'x' } },
    'image.mediaId',
  ),
  'a picture that is no base64': send({ to: good.to, type: 'image', image: { data: '?' } }, 'image.data'),
  'a document under a path': send(
    { to: good.to, type: 'document', document: { data: 'AAAA', fileName: '../../etc/passwd' } },
    'document.fileName',
  ),
  'a sticker with a caption': send(
    { to: good.to, type: 'sticker', sticker: { data: 'AAAA', caption: 'hi' } },
    'sticker.caption',
  ),
  'type is null': send({ ...good, type: null }, 'type'),
  'senderHint is no sender': send({ ...good, senderHint: 'the blue one' }, 'senderHint'),
  'senderHint is a number': send({ ...good, senderHint: 1 }, 'senderHint'),
  'a dry run by a word': { path: `${path}?dryRun=yes`, json: good, ...invalid, field: 'dryRun' },
  'a dry run that is misspelt': { path: `${path}?dryrun=true`, json: good, ...invalid, field: 'dryrun' },
  'the body is a list': { path, json: [good], ...invalid, field: 'body' },
  'the body is a string': { path, json: 'hello', ...invalid, field: 'body' },
  'the body is null': { path, ...json('null'), ...invalid, field: 'body' },
  'text holds half a surrogate pair': {
    path,
    ...json('{"to":"628123456789","text":"\\ud800"}'),
    ...invalid,
    field: 'text',
  },
  'a field called __proto__': {
    path,
    ...json('{"to":"628123456789","text":"hello","__proto__":{}}'),
    ...invalid,
    field: '__proto__',
  },
  'an empty Idempotency-Key': {
    path,
    json: good,
    headers: { 'Idempotency-Key': '' },
    ...invalid,
    field: 'Idempotency-Key',
  },
  'an Idempotency-Key of 256 characters': {
    path,
    json: good,
    headers: { 'Idempotency-Key': 'k'.repeat(256) },
    ...invalid,
    field: 'Idempotency-Key',
  },
});

refuses('a send is refused for its recipient:', {
  'to is empty': recipient(''),
  'to is a word': recipient('nobody'),
  'to is too short': recipient('12345'),
  'to is too long': recipient('6281234567890123456'),
  'to has no country code': recipient('08123456789'),
  "to is the network's own address of nobody": recipient('12345@s.whatsapp.net'),
  'to is a privacy alias': recipient('123456789012345@lid', 'RECIPIENT_IS_LID'),
});

refuses('a body is refused for its form:', {
  'no JSON': { path, ...json('{"to":'), status: 400, code: 'INVALID_JSON', field: null },
  nothing: { path, ...json(''), status: 400, code: 'INVALID_JSON', field: null },
  'not UTF-8': {
    path,
    ...json(new Uint8Array([0x22, 0xff, 0x22])),
    status: 400,
    code: 'INVALID_JSON',
    field: null,
  },
  'no content type': {
    path,
    raw: new TextEncoder().encode(JSON.stringify(good)),
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    field: null,
  },
  'a form': {
    path,
    ...json('to=628123456789', 'application/x-www-form-urlencoded'),
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    field: null,
  },
  'JSON called text': {
    path,
    ...json(JSON.stringify(good), 'text/plain'),
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    field: null,
  },
  'JSON in another charset': {
    path,
    ...json(JSON.stringify(good), 'application/json; charset=utf-16'),
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    field: null,
  },
  'over 1 MiB': {
    path,
    ...json(' '.repeat(1024 * 1024 + 1)),
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    field: 'body',
    limit: { bytesMax: 1024 * 1024 },
  },
  'over 1 MiB, without saying so': {
    path,
    ...json(chunked(1024 * 1024 + 65_536)),
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    field: 'body',
    limit: { bytesMax: 1024 * 1024 },
  },
});

const noKey = { path, json: good, status: 401, code: 'INVALID_API_KEY', field: null };
const wellFormed = (id: string) => newApiKey(id, env.KEY_CHECKSUM_SECRET).key;
refuses('a send is refused for its key:', {
  none: { ...noKey, as: 'nobody' },
  malformed: { ...noKey, as: 'nobody', headers: { 'X-API-Key': 'sk_live_nonsense' } },
  unknown: { ...noKey, as: 'nobody', headers: { 'X-API-Key': wellFormed(account.accountId) } },
  'of an unknown account': {
    ...noKey,
    as: 'nobody',
    headers: { 'X-API-Key': wellFormed(crypto.randomUUID()) },
  },
  "a person's token": { ...noKey, as: 'owner' },
  'unknown, with a bad body': {
    ...noKey,
    json: {},
    as: 'nobody',
    headers: { 'X-API-Key': wellFormed(account.accountId) },
  },
});

const notFound = { status: 404, code: 'NOT_FOUND', field: null };
const missing = crypto.randomUUID();
refuses('what is not there is not found:', {
  'a route': { method: 'GET', path: '/v1/nothing', ...notFound },
  'the root': { method: 'GET', path: '/', ...notFound },
  'a method': { method: 'PUT', path, json: good, ...notFound },
  'sending by GET': { method: 'GET', path: '/v1/messages/send', ...notFound },
  'a message': { method: 'GET', path: `/v1/messages/msg_${missing}`, ...notFound },
  'a message without prefix': { method: 'GET', path: `/v1/messages/${missing}`, ...notFound },
  'a number': { method: 'GET', path: `/v1/numbers/${missing}`, ...notFound },
  'a number that is no id': { method: 'GET', path: '/v1/numbers/1', ...notFound },
  "another account's number": { method: 'GET', path: `/v1/numbers/${strangersNumberId}`, ...notFound },
  "another account's number, to delete": {
    method: 'DELETE',
    path: `/v1/numbers/${strangersNumberId}`,
    as: 'owner',
    ...notFound,
  },
  "another account's number, to pair": {
    path: `/v1/numbers/${strangersNumberId}/pair`,
    json: { method: 'qr' },
    as: 'owner',
    ...notFound,
  },
  "another account's key": {
    method: 'DELETE',
    path: `/v1/auth/api-keys/${stranger.apiKeyId}`,
    as: 'owner',
    ...notFound,
  },
  'a webhook': { method: 'GET', path: `/v1/webhooks/${missing}`, as: 'owner', ...notFound },
  "a webhook's deliveries": {
    method: 'GET',
    path: `/v1/webhooks/${missing}/deliveries`,
    as: 'owner',
    ...notFound,
  },
  'a pairing': { method: 'GET', path: `/v1/numbers/${numberId}/pairing`, as: 'owner', ...notFound },
});

const unauthenticated = { status: 401, code: 'UNAUTHENTICATED', field: null };
refuses('a person must be signed in:', {
  'for keys': { method: 'GET', path: '/v1/auth/api-keys', as: 'nobody', ...unauthenticated },
  'for keys, an API key is not enough': {
    method: 'GET',
    path: '/v1/auth/api-keys',
    as: 'server',
    ...unauthenticated,
  },
  'for a new number, an API key is not enough': {
    path: '/v1/numbers',
    json: { label: 'x' },
    as: 'server',
    ...unauthenticated,
  },
  'for alerts, an API key is not enough': {
    method: 'GET',
    path: '/v1/alerts',
    as: 'server',
    ...unauthenticated,
  },
  'with a token of ours': {
    method: 'GET',
    path: '/v1/auth/me',
    as: 'nobody',
    headers: { Authorization: 'Bearer nonsense' },
    ...unauthenticated,
  },
  'for reads without any credential': {
    method: 'GET',
    path: '/v1/numbers',
    as: 'nobody',
    ...unauthenticated,
  },
  'with the right password': {
    path: '/v1/auth/login',
    json: { email: account.email, password: 'wrong' },
    as: 'nobody',
    ...unauthenticated,
  },
  'as somebody': {
    path: '/v1/auth/login',
    json: { email: 'nobody@example.com', password: account.password },
    as: 'nobody',
    ...unauthenticated,
  },
  'to sign up others, as the operator': {
    path: '/v1/auth/sign-up',
    json: {},
    as: 'owner',
    ...unauthenticated,
  },
});

const numberPath = `/v1/numbers/${numberId}`;
const patch = (path: string, fields: unknown, field: string): BadInput => ({
  ...owner(path, fields, field),
  method: 'PATCH',
});
const owner = (route: string, body: unknown, field: string): BadInput => ({
  path: route,
  json: body,
  as: 'owner',
  ...invalid,
  field,
});
const hook = { url: 'https://example.com/hook', numberIds: 'all', events: 'all' };
const person = { email: 'ada@example.com', password: 'long enough', name: 'Ada', accountName: 'Ada Ltd' };
const signUp = (fields: Record<string, unknown>, field: string): BadInput => ({
  path: '/v1/auth/sign-up',
  json: { ...person, ...fields },
  as: 'operator',
  ...invalid,
  field,
});
refuses('an admin call is refused for its fields:', {
  'a key without a name': owner('/v1/auth/api-keys', {}, 'name'),
  'a key with an empty name': owner('/v1/auth/api-keys', { name: '' }, 'name'),
  'a key with a blank name': owner('/v1/auth/api-keys', { name: ' ' }, 'name'),
  'a key with a name of 101 characters': owner('/v1/auth/api-keys', { name: 'x'.repeat(101) }, 'name'),
  'a key pinned to no id': owner('/v1/auth/api-keys', { name: 'x', pinnedNumberId: '1' }, 'pinnedNumberId'),
  "a key pinned to another account's number": owner(
    '/v1/auth/api-keys',
    { name: 'x', pinnedNumberId: strangersNumberId },
    'pinnedNumberId',
  ),
  'a key that fails in its own way': owner(
    '/v1/auth/api-keys',
    { name: 'x', onPinFailure: 'panic' },
    'onPinFailure',
  ),
  'a key with a misspelt field': owner(
    '/v1/auth/api-keys',
    { name: 'x', pinnedNumber: numberId },
    'pinnedNumber',
  ),
  'a number without a label': owner('/v1/numbers', {}, 'label'),
  'a number with a phone number': owner(
    '/v1/numbers',
    { label: 'x', phoneNumber: '15550000001' },
    'phoneNumber',
  ),
  'a pause that ends before it begins': patch(
    numberPath,
    { pacing: { minDelayMs: 5000, maxDelayMs: 100 } },
    'pacing.maxDelayMs',
  ),
  'a pause below the one that is there': patch(
    numberPath,
    { pacing: { maxDelayMs: 1 } },
    'pacing.maxDelayMs',
  ),
  'a pacing field that is none': patch(numberPath, { pacing: { delayMs: 1 } }, 'pacing.delayMs'),
  'a time zone that is none': patch(numberPath, { pacing: { timeZone: 'Mars/Base' } }, 'pacing.timeZone'),
  'quiet hours without an end': patch(
    numberPath,
    { pacing: { quietHours: { start: '22:00' } } },
    'pacing.quietHours.end',
  ),
  'quiet hours that end when they begin': patch(
    numberPath,
    { pacing: { quietHours: { start: '07:00', end: '07:00' } } },
    'pacing.quietHours.end',
  ),
  'quiet hours at no time of day': patch(
    numberPath,
    { pacing: { quietHours: { start: '24:00', end: '07:00' } } },
    'pacing.quietHours.start',
  ),
  'a daily limit below nothing': patch(numberPath, { pacing: { dailyLimit: -1 } }, 'pacing.dailyLimit'),
  'a prefix with a plus sign': patch(
    numberPath,
    { filters: { blockPrefixes: ['+62'] } },
    'filters.blockPrefixes.0',
  ),
  'a filter that is none': patch(numberPath, { filters: { blockSuffixes: [] } }, 'filters.blockSuffixes'),
  'settings: an unknown field': patch('/v1/settings', { sticky: 1 }, 'sticky'),
  'settings: less than no hours': patch('/v1/settings', { stickyHours: -1 }, 'stickyHours'),
  'settings: events kept for no day': patch(
    '/v1/settings',
    { retention: { eventsDays: 0 } },
    'retention.eventsDays',
  ),
  'settings: messages kept longer than ten years': patch(
    '/v1/settings',
    { retention: { messagesMonths: 121 } },
    'retention.messagesMonths',
  ),
  'settings: a blocked recipient that is no phone number': patch(
    '/v1/settings',
    { filters: { blockNumbers: ['0'] } },
    'filters.blockNumbers.0',
  ),
  'settings: a word that stops and starts': patch(
    '/v1/settings',
    { optOut: { startWords: ['stop'] } },
    'optOut.startWords',
  ),
  'an opt-out of what is no phone number': {
    method: 'POST',
    path: '/v1/opt-outs',
    as: 'owner',
    json: { phoneNumber: '12' },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'phoneNumber',
  },
  'settings: a sentence as a word': patch(
    '/v1/settings',
    { optOut: { stopWords: ['please do not write to me any more'] } },
    'optOut.stopWords.0',
  ),
  'a number moved to the pool by a word': {
    ...owner(`/v1/numbers/${numberId}`, { inPool: 'yes' }, 'inPool'),
    method: 'PATCH',
  },
  'a pairing by no known method': owner(`/v1/numbers/${numberId}/pair`, { method: 'smoke' }, 'method'),
  'a pairing by code without a phone number': owner(
    `/v1/numbers/${numberId}/pair`,
    { method: 'code' },
    'phoneNumber',
  ),
  'a pairing by code for no phone number': owner(
    `/v1/numbers/${numberId}/pair`,
    { method: 'code', phoneNumber: '12' },
    'phoneNumber',
  ),
  'a pairing by QR with a phone number': owner(
    `/v1/numbers/${numberId}/pair`,
    { method: 'qr', phoneNumber: '15550000001' },
    'phoneNumber',
  ),
  'a disconnect with fields': owner(`/v1/numbers/${numberId}/disconnect`, { now: true }, 'now'),
  'a webhook without a URL': owner('/v1/webhooks', { ...hook, url: undefined }, 'url'),
  'a webhook that is no URL': owner('/v1/webhooks', { ...hook, url: 'example' }, 'url'),
  'a webhook in the clear': owner('/v1/webhooks', { ...hook, url: 'http://example.com' }, 'url'),
  'a webhook to a private address': owner('/v1/webhooks', { ...hook, url: 'https://10.0.0.1/' }, 'url'),
  'a webhook with a password': owner('/v1/webhooks', { ...hook, url: 'https://a:b@example.com/' }, 'url'),
  'a webhook for no numbers': owner('/v1/webhooks', { ...hook, numberIds: [] }, 'numberIds'),
  'a webhook for some numbers': owner('/v1/webhooks', { ...hook, numberIds: 'some' }, 'numberIds'),
  "a webhook for another account's number": owner(
    '/v1/webhooks',
    { ...hook, numberIds: [numberId, strangersNumberId] },
    'numberIds.1',
  ),
  'a webhook for an unknown event': owner(
    '/v1/webhooks',
    { ...hook, events: ['message.exploded'] },
    'events',
  ),
  'a webhook for no events': owner('/v1/webhooks', { ...hook, events: [] }, 'events'),
  'a webhook with its own secret': owner('/v1/webhooks', { ...hook, secret: 'whsec_1' }, 'secret'),
  'a sign-up without an address': signUp({ email: 'ada' }, 'email'),
  'a sign-up with a short password': signUp({ password: '1234567' }, 'password'),
  'a sign-up with an endless password': signUp({ password: 'x'.repeat(129) }, 'password'),
  'a sign-up with a common password': signUp({ password: 'password1' }, 'password'),
  'a sign-up with an address for a name': signUp({ name: 'www.example.com' }, 'name'),
  'a sign-up with a role': signUp({ role: 'owner' }, 'role'),
  'a plan that the operator does not name': {
    path: `/v1/operator/accounts/${account.accountId}/plan`,
    json: { plan: 'gold' },
    as: 'operator',
    ...invalid,
    field: 'plan',
    method: 'PUT',
  },
  'a plan without a name': {
    path: `/v1/operator/accounts/${account.accountId}/plan`,
    json: {},
    as: 'operator',
    ...invalid,
    field: 'plan',
    method: 'PUT',
  },
  'a rerouting after no time': {
    ...owner('/v1/settings', { rerouteAfterMs: -1 }, 'rerouteAfterMs'),
    method: 'PATCH',
  },
  'a rerouting after more than a day': {
    ...owner('/v1/settings', { rerouteAfterMs: 86_400_001 }, 'rerouteAfterMs'),
    method: 'PATCH',
  },
  'a key that ends before it begins': owner(
    '/v1/auth/api-keys',
    { name: 'x', expiresAt: '2020-01-01T00:00:00.000Z' },
    'expiresAt',
  ),
  'a key renamed to nothing': {
    ...owner(`/v1/auth/api-keys/${account.apiKeyId}`, { name: '' }, 'name'),
    method: 'PATCH',
  },
  "a key moved to another account's number": {
    ...owner(
      `/v1/auth/api-keys/${account.apiKeyId}`,
      { pinnedNumberId: strangersNumberId },
      'pinnedNumberId',
    ),
    method: 'PATCH',
  },
  'an invitation of nobody': owner('/v1/auth/invitations', { email: 'ada', role: 'agent' }, 'email'),
  'an invitation as king': owner('/v1/auth/invitations', { email: 'a@example.com', role: 'king' }, 'role'),
  'a member made king': {
    ...owner(`/v1/auth/members/${missing}`, { role: 'king' }, 'role'),
    method: 'PATCH',
  },
  'an account that is no id': owner('/v1/auth/switch-account', { accountId: '1' }, 'accountId'),
  'a new password that is short': owner(
    '/v1/auth/password/change',
    { currentPassword: account.password, newPassword: 'short' },
    'newPassword',
  ),
  'a reset with a short password': owner(
    '/v1/auth/password/reset',
    { token: 'x', newPassword: 'short' },
    'newPassword',
  ),
  'a password that everybody tries first': owner(
    '/v1/auth/password/change',
    { currentPassword: account.password, newPassword: 'Password123' },
    'newPassword',
  ),
  'a second factor without the password': owner('/v1/auth/two-factor/enable', {}, 'password'),
  'a second factor that goes without a code': owner(
    '/v1/auth/two-factor/disable',
    { password: account.password },
    'code',
  ),
  'a refresh with fields': owner('/v1/auth/refresh', { token: 'x' }, 'token'),
  'a login with a code that is a number': {
    path: '/v1/auth/login',
    json: { email: account.email, password: account.password, code: 123456 },
    as: 'nobody',
    ...invalid,
    field: 'code',
  },
  'a login without a password': {
    path: '/v1/auth/login',
    json: { email: account.email },
    as: 'nobody',
    ...invalid,
    field: 'password',
  },
});

const list = (query: string, field: string): BadInput => ({
  method: 'GET',
  path: `/v1/messages?${query}`,
  ...invalid,
  field,
});
refuses('a list is refused for its query:', {
  'limit 0': list('limit=0', 'limit'),
  'limit 201': list('limit=201', 'limit'),
  'limit in words': list('limit=ten', 'limit'),
  'limit twice': list('limit=1&limit=2', 'limit'),
  'a cursor of its own': list('cursor=abc', 'cursor'),
  'an unknown status': list('status=lost', 'status'),
  'an unknown direction': list('direction=up', 'direction'),
  'a number that is no id': list('numberId=1', 'numberId'),
  'a time that is none': list('since=yesterday', 'since'),
  'an unknown filter': list('recipient=628123456789', 'recipient'),
  'to is nobody': list('to=nobody', 'to'),
  'a limit of a list that comes as a whole': {
    method: 'GET',
    path: '/v1/contact-labels?limit=5',
    ...invalid,
    field: 'limit',
  },
  'an unknown filter of such a list': {
    method: 'GET',
    path: '/v1/contact-attributes?q=city',
    ...invalid,
    field: 'q',
  },
  'merges of a contact that is no id': {
    method: 'GET',
    path: '/v1/contacts/merges?contactId=1',
    ...invalid,
    field: 'contactId',
  },
});

test('a taken e-mail address is a conflict', async () => {
  const answer = await ask('POST', '/v1/auth/sign-up', {
    headers: credentials.operator,
    json: { ...person, email: account.email.toUpperCase() },
  });
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
});

test('after all that nothing is stored, and nothing is counted against the quota', async () => {
  expect(await everythingOf(account)).toEqual(before);
  expect(before.usage).toMatchObject({ used: 0 });
});

test('what is only just right is accepted', async () => {
  const accepted = async (options: Ask) => {
    const answer = await ask('POST', path, {
      ...options,
      headers: { ...account.server, ...options.headers },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  };
  await accepted({ json: { ...good, text: '😀'.repeat(4096) } });
  await accepted({ json: { ...good, text: ' .' } });
  await accepted({ json: { ...good, to: `${good.to}@s.whatsapp.net`, clientReference: 'r'.repeat(128) } });
  await accepted({ json: { ...good, senderHint: '+1 555 000 0001' } });
  await accepted({ json: { ...good, type: 'text', to: '120363041234567890@g.us' } });
  await accepted({ json: good, headers: { 'Idempotency-Key': 'k'.repeat(255) } });
  await accepted(json(JSON.stringify(good), 'application/json; charset=UTF-8'));
  await accepted(json(JSON.stringify(good).padEnd(1024 * 1024)));
});
