import { env, exports } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Campaign } from '../../src/durable/campaign/campaign.ts';
import { EventLog } from '../../src/durable/event-log/event-log.ts';
import { logOf } from '../../src/durable/event-log/log-of.ts';
import { Heliograph } from '../../src/sdk/client/heliograph.ts';
import { received } from '../durable/event-log/event-log-fixture.ts';
import {
  addConnectedNumber,
  ask,
  eventually,
  openAccount,
  reportToAccount,
  writeToNumber,
} from './front-door.ts';
import { png } from './media/media-samples.ts';
import { addAgent } from './openapi/openapi-arrangements.ts';

const phones = (count: number) =>
  Array.from({ length: count }, (_, index) => String(628_800_000_000 + index));

/** An account with a number that takes nothing, and so many contacts of whom the first half has written. */
async function withContacts(count: number) {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const contacts = phones(count).map((phoneNumber, index) => ({ phoneNumber, name: `Person ${index}` }));
  await logOf(env, account.accountId).take([{ kind: 'contacts.listed', numberId, at: Date.now(), contacts }]);
  for (const phoneNumber of phones(Math.floor(count / 2))) {
    await writeToNumber(account, numberId, phoneNumber, 'hello');
  }
  const call = (method: string, path: string, json?: unknown) =>
    ask(method, `/v1/campaigns${path}`, { headers: account.owner, ...(json !== undefined && { json }) });
  const create = async (more: object = {}) => {
    const { body, status } = await call('POST', '', {
      name: 'Spring',
      message: { text: 'Hello {{name|there}}' },
      audience: { all: true },
      ...more,
    });
    expect(status).toBe(201);
    return body;
  };
  return { account, numberId, call, create };
}

describe('A campaign', () => {
  test('is a draft first: previewed, changed, and started; then it cannot be changed any more', async () => {
    const { call, create, numberId } = await withContacts(10);
    const draft = await create();
    expect(draft).toMatchObject({
      status: 'draft',
      numberIds: 'pool',
      audience: { all: true, coldContacts: false },
    });
    const path = `/${draft.campaignId}`;
    const { body: preview } = await call('POST', `${path}/preview`);
    expect(preview).toMatchObject({
      recipients: 10,
      willGet: 5,
      skipped: { never_wrote: 5 },
      cold: 0,
      numbers: [{ numberId, hindrance: null, perMinute: 600 }],
      warnings: [],
    });
    expect(preview.examples[0].text).toMatch(/^Hello Person \d$/);
    expect(Date.parse(preview.finishesAt)).toBeGreaterThanOrEqual(Date.parse(preview.startsAt));
    const { body: changed } = await call('PATCH', path, {
      audience: { all: true, coldContacts: true },
      message: { text: 'Dear {{name}}' },
      variants: [{ text: 'Hey {{name}}' }],
    });
    // A number that is named twice is one; a label is nobody else's.
    const named = await create({ numberIds: [numberId, numberId], audience: { label: 'vip' } });
    expect(named).toMatchObject({ numberIds: [numberId], audience: { label: 'vip' } });
    expect(named.audience).not.toHaveProperty('all');
    await call('DELETE', `/${named.campaignId}`);
    expect(changed).toMatchObject({
      message: { text: 'Dear {{name}}' },
      variants: [{ text: 'Hey {{name}}' }],
    });
    const { body: warm } = await call('PATCH', path, {
      message: { text: 'Dear {{name}}!' },
      audience: { all: true },
    });
    expect(warm).toMatchObject({
      variants: [{ text: 'Hey {{name}}' }],
      audience: { all: true, coldContacts: false },
    });
    await call('PATCH', path, { audience: { all: true, coldContacts: true } });
    const { body: again } = await call('POST', `${path}/preview`);
    expect(again).toMatchObject({ willGet: 10, cold: 5, warnings: ['cold_contacts'] });
    await call('PATCH', path, { name: 'Summer' });
    expect((await call('POST', `${path}/start`)).body).toMatchObject({ status: 'running' });
    expect((await call('PATCH', path, { name: 'Other' })).body.error.code).toBe('CONFLICT');
    expect((await call('DELETE', path)).body.error.code).toBe('CONFLICT');
    const running = await eventually(async () => {
      const { body } = await call('GET', path);
      return body.counts.queued > 0 && body;
    });
    expect(running.counts.recipients).toBe(10);
    const { body: listed } = await call('GET', '');
    expect(listed.data).toMatchObject([
      { campaignId: draft.campaignId, name: 'Summer', status: 'running', counts: { recipients: 10 } },
    ]);
  });

  test('goes to everybody who is in a file, new or known, and to nobody else', async () => {
    const { account, call, create } = await withContacts(4);
    const [known = '', , stranger = ''] = phones(4);
    const fresh = '628800999999';
    const importFile = (rows: readonly string[]) =>
      ask('POST', '/v1/contacts/import?consentSource=fair', {
        headers: { ...account.server, 'Content-Type': 'text/csv' },
        raw: new TextEncoder().encode(['Phone', ...rows].join('\r\n')),
      });
    const { body: imported } = await importFile([known, fresh, '12', stranger, fresh]);
    await importFile(['628800777777']);
    expect(imported).toMatchObject({ status: 'finished', created: 1, updated: 3, refusedCount: 1 });
    const { campaignId, audience } = await create({
      audience: { csv: imported.importId, coldContacts: true },
    });
    expect(audience).toEqual({ csv: imported.importId, coldContacts: true });
    const { body: preview } = await call('POST', `/${campaignId}/preview`);
    expect(preview).toMatchObject({ recipients: 3, willGet: 3 });
    // Who is deleted is in no file any more.
    const { body: list } = await ask('GET', `/v1/contacts?q=${fresh}`, { headers: account.owner });
    await ask('DELETE', `/v1/contacts/${list.data[0].contactId}`, { headers: account.owner });
    await call('POST', `/${campaignId}/start`);
    const recipients = await eventually(async () => {
      const { data } = (await call('GET', `/${campaignId}/recipients`)).body;
      return data.length === 2 && data;
    });
    const reached = recipients.map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber);
    expect(reached.toSorted()).toEqual([known, stranger].toSorted());
  });

  test('reaches who hides their phone number, by their contact, and is forgotten with them', async () => {
    const { account, numberId, call, create } = await withContacts(1);
    const lid = '100000000000077';
    const log = logOf(env, account.accountId);
    await log.take([received({ from: lid, senderLid: lid, pushName: 'Hidden' }, numberId)]);
    const { campaignId } = await create({ audience: { all: true, coldContacts: true } });
    const { body: preview } = await call('POST', `/${campaignId}/preview`);
    expect(preview).toMatchObject({ recipients: 2, willGet: 2, cold: 1 });
    const { contactId } = preview.examples.find(({ to }: { to: string | null }) => to === null);
    await call('POST', `/${campaignId}/start`);
    const hidden = await eventually(async () => {
      const { data } = (await call('GET', `/${campaignId}/recipients?status=queued`)).body;
      return data.length === 2 && data[1];
    });
    expect(hidden).toMatchObject({ phoneNumber: null, contactId, name: 'Hidden', status: 'queued' });
    const message = await eventually(async () => {
      const path = `/v1/messages/${hidden.messageId}`;
      const { body, status } = await ask('GET', path, { headers: account.owner });
      return status === 200 && body;
    });
    expect(message).toMatchObject({ contactId, text: 'Hello Hidden' });
    expect(message).not.toHaveProperty('to');
    await ask('DELETE', `/v1/contacts/${contactId}?erase=true`, { headers: account.owner });
    const { data } = (await call('GET', `/${campaignId}/recipients`)).body;
    expect(data[0]).toMatchObject({ phoneNumber: null, contactId: null, name: null });
  });

  test('has its answers in the inbox under its name', async () => {
    const { account, numberId, call, create } = await withContacts(3);
    const [first = '', second = '', third = ''] = phones(3);
    const hear = async (from: string) =>
      logOf(env, account.accountId).take([received({ from, at: new Date().toISOString() }, numberId)]);
    const inbox = async (search: string) =>
      (await ask('GET', `/v1/conversations?${search}`, { headers: account.owner })).body.data;
    // Who waits already waits with something else.
    await hear(first);
    const { campaignId } = await create({ audience: { all: true, coldContacts: true } });
    await call('POST', `/${campaignId}/start`);
    await eventually(async () => (await call('GET', `/${campaignId}`)).body.counts.queued === 3);
    await eventually(
      async () => (await ask('GET', '/v1/messages', { headers: account.owner })).body.data.length === 4,
    );
    await hear(second);
    const answers = await inbox(`campaignId=${campaignId}`);
    expect(answers).toMatchObject([
      {
        contact: { phoneNumber: second },
        answers: { origin: { kind: 'campaign', campaignId } },
        campaign: { campaignId, name: 'Spring' },
      },
    ]);
    expect(await inbox('')).toHaveLength(2);
    expect(await inbox(`campaignId=${numberId}`)).toEqual([]);
    await hear(third);
    expect(await inbox(`campaignId=${campaignId}`)).toHaveLength(2);
  });

  test('is refused for a file that there is none of', async () => {
    const { call } = await withContacts(0);
    const { status, body } = await call('POST', '', {
      name: 'Spring',
      message: { text: 'Hello' },
      audience: { csv: '019a0000-0000-7000-8000-000000000000' },
    });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ path: 'audience.csv' }]);
  });

  test('is refused for a file that is still being read', async () => {
    const { call } = await withContacts(0);
    const reading = vi.spyOn(EventLog.prototype, 'contactImport');
    onTestFinished(() => reading.mockRestore());
    reading.mockReturnValue({ status: 'running' } as never);
    const { body } = await call('POST', '', {
      name: 'Spring',
      message: { text: 'Hello' },
      audience: { csv: '019a0000-0000-7000-8000-000000000000' },
    });
    expect(body.error.details).toMatchObject([
      { path: 'audience.csv', message: expect.stringContaining('is running') },
    ]);
  });

  test('has the file of its text stored once, and shows it by its id', async () => {
    const { create } = await withContacts(0);
    const host = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => host.mockRestore());
    const headers = { 'Content-Type': 'image/png' };
    host.mockImplementation(async () => new Response(png(8, 6), { headers }));
    const image = { url: 'https://files.example.com/a.png', caption: 'For {{name}}' };
    const { message } = await create({ message: { type: 'image', image } });
    expect(message).toEqual({
      type: 'image',
      image: { mediaId: expect.any(String), caption: 'For {{name}}' },
    });
    expect(host).toHaveBeenCalledTimes(1);
  });

  test('is refused for a segment that there is none of, when it is made and when it is changed', async () => {
    const { account, call, create } = await withContacts(0);
    const { body: segment } = await ask('POST', '/v1/segments', {
      headers: account.owner,
      json: { name: 'Writers', filter: { hasWritten: true } },
    });
    const audience = { segmentId: segment.segmentId };
    const { campaignId } = await create({ audience });
    expect((await call('PATCH', `/${campaignId}`, { audience })).status).toBe(200);
    await ask('DELETE', `/v1/segments/${segment.segmentId}`, { headers: account.owner });
    const whole = { name: 'Spring', message: { text: 'Hello' }, audience };
    for (const answer of [
      await call('POST', '', whole),
      await call('PATCH', `/${campaignId}`, { audience }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'audience.segmentId' }],
      });
    }
  });

  test('has tried nothing for who is skipped or still waits', async () => {
    const { call, create } = await withContacts(4);
    const { campaignId } = await create();
    await call('POST', `/${campaignId}/start`);
    const attempts = async (status: string) => {
      const { data } = (await call('GET', `/${campaignId}/recipients?status=${status}`)).body;
      return data.map((recipient: { attempts: number }) => recipient.attempts);
    };
    await eventually(async () => (await attempts('queued')).length === 2);
    expect(await attempts('queued')).toEqual([1, 1]);
    expect(await attempts('skipped')).toEqual([0, 0]);
    // What is taken back was tried, and the next one is not made yet.
    await call('POST', `/${campaignId}/pause`);
    await eventually(async () => (await attempts('pending')).length === 2);
    expect(await attempts('pending')).toEqual([1, 1]);
  });

  test('that is paused takes back what no number has, and goes on or is cancelled', async () => {
    const { call, create, account, numberId } = await withContacts(6);
    const { campaignId } = await create({ audience: { all: true, coldContacts: true } });
    await call('POST', `/${campaignId}/start`);
    const counts = async () => (await call('GET', `/${campaignId}`)).body.counts;
    await eventually(async () => (await counts()).queued === 6);
    const usage = async () => (await ask('GET', '/v1/usage', { headers: account.owner })).body.used;
    expect(await usage()).toBe(6);
    const { body: paused } = await call('POST', `/${campaignId}/pause`);
    expect(paused).toMatchObject({ status: 'paused', reason: 'by_person' });
    await eventually(async () => (await counts()).pending === 6);
    expect(await usage()).toBe(0);
    expect((await call('POST', `/${campaignId}/pause`)).body.error.code).toBe('CONFLICT');
    await call('POST', `/${campaignId}/resume`);
    await eventually(async () => (await counts()).queued === 6);
    await reportToAccount(account, numberId, { state: 'disconnected', revision: 2_000 });
    await call('POST', `/${campaignId}/cancel`);
    await eventually(async () => (await counts()).cancelled === 6);
    const { body: recipients } = await call('GET', `/${campaignId}/recipients?status=cancelled&limit=4`);
    expect(recipients.data).toHaveLength(4);
    const { body: rest } = await call(
      'GET',
      `/${campaignId}/recipients?status=cancelled&limit=4&cursor=${recipients.nextCursor}`,
    );
    expect(rest.data).toHaveLength(2);
    expect(rest.nextCursor).toBeNull();
    expect((await call('DELETE', `/${campaignId}`)).status).toBe(204);
    expect((await call('GET', `/${campaignId}`)).status).toBe(404);
    const { body: entries } = await ask('GET', '/v1/audit-log', { headers: account.owner });
    const actions = entries.data.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action.startsWith('campaign.'))).toEqual(
      ['deleted', 'cancelled', 'resumed', 'paused', 'started', 'created'].map((did) => `campaign.${did}`),
    );
  });

  test('is planned for a time, and a draft again when it is paused before', async () => {
    const { call, create } = await withContacts(2);
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const { campaignId } = await create({ startAt });
    expect((await call('POST', `/${campaignId}/start`)).body).toMatchObject({ status: 'scheduled', startAt });
    expect((await call('POST', `/${campaignId}/duplicate`)).body.startAt).toBe(startAt);
    expect((await call('POST', `/${campaignId}/pause`)).body.status).toBe('draft');
    await call('POST', `/${campaignId}/start`);
    expect((await call('POST', `/${campaignId}/cancel`)).body.status).toBe('cancelled');
  });

  test('says outside its hours what it waits for, and until when', async () => {
    const { call, create } = await withContacts(2);
    const inThreeDays = new Date(Date.now() + 3 * 24 * 3_600_000);
    const day = inThreeDays.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
    const window = { days: [day], from: '09:00', to: '17:00', timeZone: 'UTC' };
    const { campaignId } = await create({ window });
    await call('POST', `/${campaignId}/start`);
    const waitingFor = await eventually(async () => {
      const { body } = await call('GET', `/${campaignId}`);
      return body.waitingFor?.until && body.waitingFor;
    });
    const until = `${inThreeDays.toISOString().slice(0, 10)}T09:00:00.000Z`;
    expect(waitingFor).toEqual({ reason: 'window', until });
  });

  test('is tried on one phone, as its recipients would get it, and duplicated', async () => {
    const { call, create, account } = await withContacts(2);
    const { campaignId } = await create({ message: { text: 'Hello {{name}}, {{attributes.city|you}}' } });
    const { status, body } = await call('POST', `/${campaignId}/test`, { to: '+62 899 1111 222' });
    expect(status).toBe(202);
    expect(body).toMatchObject({ to: '628991111222', text: 'Hello [name], you' });
    const message = await eventually(async () => {
      const found = await ask('GET', `/v1/messages/${body.messageId}`, { headers: account.owner });
      return found.status === 200 && found.body;
    });
    expect(message).toMatchObject({ text: 'Hello [name], you', origin: { kind: 'campaign', campaignId } });
    expect((await call('GET', `/${campaignId}`)).body.counts.recipients).toBe(0);
    for (const [path, json] of [
      ['to', { to: '120363000000000077@g.us' }],
      ['variant', { to: '628991111222', variant: 1 }],
    ] as const) {
      const refused = await call('POST', `/${campaignId}/test`, json);
      expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
    }
    const { body: copy } = await call('POST', `/${campaignId}/duplicate`);
    expect(copy).toMatchObject({ name: 'Spring (2)', status: 'draft' });
    const past = await create({ name: 'S'.repeat(100), startAt: new Date(Date.now() - 1_000).toISOString() });
    const { body: next } = await call('POST', `/${past.campaignId}/duplicate`);
    expect(next).toMatchObject({ name: `${'S'.repeat(96)} (2)`, startAt: null });
  });

  test('has its recipients as a file, in which nothing is a formula', async () => {
    const { call, create, account, numberId } = await withContacts(3);
    const [first = '', second = ''] = phones(2);
    const named = [
      { phoneNumber: first, name: '=HYPERLINK("x"), "y"' },
      { phoneNumber: second, name: '-1+1' },
    ];
    await logOf(env, account.accountId).take([
      { kind: 'contacts.listed', numberId, at: Date.now(), contacts: named },
    ]);
    const { campaignId } = await create({ audience: { all: true, coldContacts: true } });
    await call('POST', `/${campaignId}/start`);
    await eventually(async () => (await call('GET', `/${campaignId}`)).body.counts.queued === 3);
    const file = (search = '') =>
      ask('GET', `/v1/campaigns/${campaignId}/recipients${search}`, {
        headers: { ...account.owner, Accept: 'text/csv' },
      });
    // It is read step by step, here two people at a time.
    const { recipients } = Campaign.prototype;
    const steps = vi.spyOn(Campaign.prototype, 'recipients');
    onTestFinished(() => steps.mockRestore());
    steps.mockImplementation(function (this: Campaign, filter, _limit, after) {
      return recipients.call(this, filter, 2, after);
    });
    const { text, headers } = await file();
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('Content-Disposition')).toBe(`attachment; filename="campaign-${campaignId}.csv"`);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toMatch(/^phoneNumber,name,status,/);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain(`${first},"'=HYPERLINK(""x""), ""y""",queued,`);
    expect(lines[2]).toContain(`${second},'-1+1,queued,`);
    expect((await file('?status=failed')).text.trim()).toBe(lines[0]);
  });

  test('is nobody else’s, and nothing for agents', async () => {
    const { account, create } = await withContacts(2);
    const { campaignId } = await create();
    const stranger = await openAccount();
    for (const verb of ['start', 'pause', 'preview', 'duplicate']) {
      const answer = await ask('POST', `/v1/campaigns/${campaignId}/${verb}`, { headers: stranger.owner });
      expect(answer.status).toBe(404);
    }
    const { email, password } = await addAgent(account);
    const login = await ask('POST', '/v1/auth/login', { json: { email, password } });
    const agent = { Authorization: `Bearer ${login.body.token}` };
    expect((await ask('GET', '/v1/campaigns', { headers: agent })).status).toBe(403);
  });

  test.each([
    ['chosen', 'All numbers of this campaign were deleted.'],
    ['pool', 'There is no number in the pool.'],
  ])(
    'whose last number was deleted (%s) neither starts nor goes on, and says why',
    async (which, message) => {
      const { account, numberId, call, create } = await withContacts(20);
      const audience = { all: true, coldContacts: true };
      const numberIds = which === 'pool' ? 'pool' : [numberId];
      const { campaignId } = await create({ audience, numberIds });
      const { campaignId: begun } = await create({ audience, numberIds });
      expect((await call('POST', `/${begun}/start`)).status).toBe(200);
      const { status } = await ask('DELETE', `/v1/numbers/${numberId}`, { headers: account.owner });
      expect(status).toBe(204);
      const refused = {
        status: 409,
        body: { error: { message, details: [{ path: 'numberIds', message }] } },
      };
      expect(await call('POST', `/${campaignId}/start`)).toMatchObject(refused);
      expect((await call('GET', `/${campaignId}`)).body.status).toBe('draft');
      await eventually(async () => (await call('GET', `/${begun}`)).body.status === 'paused');
      expect((await call('GET', `/${begun}`)).body.reason).toBe('numbers_gone');
      expect(await call('POST', `/${begun}/resume`)).toMatchObject(refused);
      expect((await call('GET', `/${begun}`)).body.reason).toBe('numbers_gone');
    },
  );

  test('refuses what does not fit, and names the field', async () => {
    const { call } = await withContacts(1);
    const whole = { name: 'Spring', message: { text: 'Hello' }, audience: { all: true } };
    const refused = async (more: object) => {
      const { status, body } = await call('POST', '', { ...whole, ...more });
      expect(status).toBe(400);
      return body.error.details[0].path;
    };
    expect(await refused({ name: ' ' })).toBe('name');
    expect(await refused({ message: { text: 'Hi {{nmae}}' } })).toBe('message.text');
    expect(await refused({ message: { text: 'Hi', to: '628123456789' } })).toBe('message.to');
    expect(await refused({ message: { type: 'image', image: { mediaId: crypto.randomUUID() } } })).toBe(
      'message.image.mediaId',
    );
    const noFile = { type: 'image', image: { mediaId: crypto.randomUUID() } };
    expect(await refused({ variants: [{ text: 'Hi' }, noFile] })).toBe('variants.1.image.mediaId');
    expect(await refused({ audience: {} })).toBe('audience');
    expect(await refused({ audience: { all: true, label: 'x' } })).toBe('audience');
    expect(await refused({ numberIds: [crypto.randomUUID()] })).toBe('numberIds.0');
    expect(await refused({ winner: { testPercent: 20, afterMinutes: 5 } })).toBe('winner');
    expect(await refused({ window: { days: ['monday'], from: '09:00', to: '09:00', timeZone: 'UTC' } })).toBe(
      'window.to',
    );
    expect(await refused({ window: { days: ['monday'], from: '9', to: '17:00', timeZone: 'UTC' } })).toBe(
      'window.from',
    );
    expect(await refused({ timeZone: 'Mars/Base' })).toBe('timeZone');
    expect(await refused({ ratePerHour: 0 })).toBe('ratePerHour');
    expect(await refused({ stopAfterFailure: 3 })).toBe('stopAfterFailure');
  });

  test('is made, followed and ended by the client', async () => {
    const { account } = await withContacts(3);
    const { campaigns } = new Heliograph({
      baseUrl: 'https://gateway.test',
      token: account.owner.Authorization.replace('Bearer ', ''),
      fetch: (input, init) => exports.default.fetch(new Request(input, init)),
    });
    const { campaignId } = await campaigns.create({
      name: 'Spring',
      message: { text: 'Hello' },
      audience: { all: true, coldContacts: true },
    });
    expect(await campaigns.update(campaignId, { name: 'Summer' })).toMatchObject({ name: 'Summer' });
    expect(await campaigns.preview(campaignId)).toMatchObject({ willGet: 3 });
    expect(await campaigns.test(campaignId, { to: '628991111222' })).toMatchObject({ text: 'Hello' });
    await campaigns.start(campaignId);
    await eventually(async () => (await campaigns.get(campaignId)).counts.queued === 3);
    expect((await campaigns.recipients(campaignId, { status: 'queued' }).page()).data).toHaveLength(3);
    const file = await new Response(await campaigns.recipientsFile(campaignId)).text();
    expect(file.split('\r\n')).toHaveLength(5);
    expect(await campaigns.pause(campaignId)).toMatchObject({ status: 'paused' });
    await expect(campaigns.retryFailed(campaignId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await campaigns.resume(campaignId);
    expect(await campaigns.cancel(campaignId)).toMatchObject({ status: 'cancelled' });
    const { campaignId: copy } = await campaigns.duplicate(campaignId);
    expect((await campaigns.list().page()).data.map((one) => one.campaignId)).toEqual([copy, campaignId]);
    await campaigns.delete(copy);
    expect((await campaigns.list().page()).data).toHaveLength(1);
  });
});
