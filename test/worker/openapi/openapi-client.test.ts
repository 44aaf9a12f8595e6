import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { Heliograph } from '../../../src/sdk/client/heliograph.ts';
import { NotFoundError, QuotaExceededError, RecipientError } from '../../../src/sdk/client/http/errors.ts';
import { example } from '../../../src/worker/openapi/examples/example-values.ts';
import { addConnectedNumber, eventually, openAccount, writeToNumber } from '../front-door.ts';
import { interceptCallbacks, receiver } from '../webhooks/webhook-receiver.ts';
import { calls } from './openapi-document.ts';

interceptCallbacks();

const url = 'https://example.com/hook';

/** A client whose requests come to the Worker's front door; `sent` holds them. */
async function customer() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const sent: { method: string; path: string; isDryRun: boolean }[] = [];
  const options = {
    baseUrl: 'https://gateway.test',
    // Long enough for the limit of requests; no bridge is there to answer what is asked of a number, however often.
    retryForMs: 3_000,
    fetch: (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init);
      const { pathname, searchParams } = new URL(request.url);
      sent.push({ method: request.method, path: pathname, isDryRun: searchParams.has('dryRun') });
      return exports.default.fetch(request);
    },
  };
  const server = new Heliograph({ ...options, apiKey: account.server['X-API-Key'] });
  const person = new Heliograph({ ...options, token: account.owner.Authorization.replace('Bearer ', '') });
  return { server, person, numberId, sent, accountId: account.accountId };
}

test('the client sends, gets and lists messages, and sees numbers and usage', async () => {
  const { server, numberId } = await customer();
  const sent = await server.messages.send({ to: '+62 812-3456-789', text: 'hello' });
  expect(sent).toMatchObject({ status: 'queued', to: '628123456789', numberId });
  expect(await server.messages.get(sent.messageId)).toMatchObject({ text: 'hello', direction: 'outbound' });
  const listed = await eventually(async () => {
    for await (const message of server.messages.list({ direction: 'outbound' }, { limit: 1 })) return message;
    return undefined;
  });
  expect(listed.messageId).toBe(sent.messageId);
  expect(await server.usage()).toMatchObject({ used: 1, limit: 1000 });
  expect(await server.numbers.get(numberId)).toMatchObject({ numberId, label: 'Sales' });
  expect((await server.numbers.list().page()).data).toHaveLength(1);
});

test('the client asks beforehand, tunes a number and the account, and sees how the number does', async () => {
  const { server, person, numberId } = await customer();
  const message = { to: '628123456789', text: 'hello' };
  const dry = await server.messages.dryRun(message);
  expect(dry).toMatchObject({
    dryRun: true,
    accepted: true,
    sender: { numberId, source: 'pool' },
    reasons: [],
  });
  expect(await server.usage()).toMatchObject({ used: 0, byNumber: [], byDay: [] });

  const number = await person.numbers.update(numberId, {
    pacing: { dailyLimit: 200 },
    filters: { blockPrefixes: ['49'] },
  });
  expect(number).toMatchObject({
    pacing: { dailyLimit: 200, minDelayMs: 800 },
    filters: { blockPrefixes: ['49'] },
  });
  const health = await server.numbers.health(numberId);
  expect(health).toMatchObject({ numberId, status: 'unavailable', changes: expect.any(Array) });

  const settings = await person.settings.update({
    rerouteAfterMs: 30_000,
    filters: { blockNumbers: [message.to] },
  });
  expect(await server.settings.get()).toEqual(settings);
  expect(settings).toMatchObject({ rerouteAfterMs: 30_000, stickyHours: 24 });
  const refused = await server.messages.dryRun(message);
  expect(refused).toMatchObject({ accepted: false, reasons: [{ code: 'RECIPIENT_FILTERED' }] });
  await person.settings.update({ filters: { blockNumbers: [] } });
  await server.messages.send(message);
  const day = new Date().toISOString().slice(0, 10);
  expect(await server.usage()).toMatchObject({
    used: 1,
    byNumber: [{ numberId, used: 1 }],
    byDay: [{ day, used: 1 }],
  });
});

test('the client lists who has opted out, page by page, and takes somebody off', async () => {
  const { server, person, numberId, accountId } = await customer();
  await writeToNumber({ accountId }, numberId, '628111111111', 'stop', 1_000);
  await writeToNumber({ accountId }, numberId, '628222222222', 'stop', 2_000);
  const listed: string[] = [];
  for await (const { phoneNumber, word } of server.optOuts.list({ limit: 1 }))
    listed.push(`${phoneNumber} ${word}`);
  expect(listed).toEqual(['628222222222 STOP', '628111111111 STOP']);
  await person.optOuts.remove('+62 8222222222');
  expect((await server.optOuts.list().page()).data.map(({ phoneNumber }) => phoneNumber)).toEqual([
    '628111111111',
  ]);
  await expect(person.optOuts.remove('628222222222')).rejects.toBeInstanceOf(NotFoundError);
  const byHand = await person.optOuts.add('+62 8333-333-333');
  expect(byHand).toMatchObject({ phoneNumber: '628333333333', numberId: null, word: null });
  expect(await person.optOuts.add('628111111111')).toMatchObject({ numberId, word: 'STOP' });
  expect((await server.optOuts.list().page()).data).toEqual([
    byHand,
    expect.objectContaining({ phoneNumber: '628111111111' }),
  ]);
  await expect(server.messages.send({ to: '628333333333', text: 'hello' })).rejects.toMatchObject({
    code: 'RECIPIENT_FILTERED',
  });
  await writeToNumber({ accountId }, numberId, '628333333333', 'start', Date.now() + 2_000);
  expect((await server.optOuts.list().page()).data).toHaveLength(1);
});

test('the client stores a file, sends it, and fetches it again', async () => {
  const { server } = await customer();
  const bytes = new TextEncoder().encode('a,b\n1,2');
  const file = await server.media.upload(new Blob([bytes], { type: 'text/csv' }), { fileName: 'table.csv' });
  expect(file).toMatchObject({ mimetype: 'text/csv', fileName: 'table.csv', bytes: bytes.byteLength });
  const document = { mediaId: file.mediaId };
  const sent = await server.messages.send({ to: '628123456789', type: 'document', document });
  expect(await server.messages.get(sent.messageId)).toMatchObject({ media: { fileName: 'table.csv' } });
  expect(await new Response(await server.media.download(file.mediaId)).text()).toBe('a,b\n1,2');
  await expect(server.media.download(crypto.randomUUID())).rejects.toBeInstanceOf(NotFoundError);
});

test('two sends under one idempotency key are one message', async () => {
  const { server } = await customer();
  const send = () => server.messages.send({ to: '628123456789', text: 'hi' }, { idempotencyKey: 'order-1' });
  expect(await send()).toEqual(await send());
  expect(await server.usage()).toMatchObject({ used: 1 });
});

test('the client follows what happens, and goes on where it was', async () => {
  const { server } = await customer();
  const next = async (after?: string) => {
    const filter = { events: ['message.queued'] as const, ...(after !== undefined && { after }) };
    for await (const event of server.events.follow(filter)) return event;
    throw new Error('the stream has ended');
  };
  const send = (text: string) => server.messages.send({ to: '628123456789', text });
  const first = await send('first');
  const event = await next();
  expect(event).toMatchObject({ event: 'message.queued', data: { messageId: first.messageId } });
  const following = next(event.cursor);
  const second = await send('second');
  expect(await following).toMatchObject({ data: { messageId: second.messageId } });
});

test("the Worker's refusals are the client's errors", async () => {
  const { server } = await customer();
  const message = { to: '123456789012345@lid', text: 'hello' };
  const error = await server.messages.send(message).catch((refusal: unknown) => refusal);
  expect(error).toBeInstanceOf(RecipientError);
  expect(error).not.toBeInstanceOf(QuotaExceededError);
  expect(error).toMatchObject({ code: 'RECIPIENT_IS_LID', details: [{ path: 'to' }] });
  await expect(server.messages.get('msg_1')).rejects.toBeInstanceOf(NotFoundError);
});

test('every call of the client is an operation of the document', async () => {
  const { server, person, numberId, sent } = await customer();
  receiver(url);
  const { id } = await person.webhooks.create({
    url,
    numberIds: [numberId],
    events: 'all',
  });
  const key = await person.apiKeys.create({ name: 'till' });
  const channel = await person.alertChannels.create({ kind: 'webhook', target: url });
  const mute = await person.alertMutes.create({ minutes: 5 });
  const fresh = await person.numbers.create({ label: 'Desk' });
  const message = await server.messages.send({ to: '628123456789', text: 'hello' });
  const conflict = () => undefined;
  // @ts-expect-error: these come as a whole, and a limit would be refused.
  void (() => [server.contactLabels.list({ limit: 10 })]);
  // @ts-expect-error
  void (() => [server.contactAttributes.list({ limit: 10 })]);
  await Promise.all([
    server.usage(),
    server.traffic({ interval: 'hour', numberId, groupBy: 'number' }),
    server.messages.get(message.messageId),
    server.messages.timeline(message.messageId),
    server.messages.list({ status: 'queued', since: new Date(0) }).page(),
    server.numbers.list().page(),
    person.numbers.get(numberId),
    person.numbers.update(numberId, { label: 'Front desk' }),
    person.numbers.connect(fresh.numberId).catch(conflict),
    person.numbers.disconnect(fresh.numberId).catch(conflict),
    person.numbers.logout(fresh.numberId).catch(conflict),
    person.webhooks.list().page(),
    person.webhooks.get(id),
    person.webhooks.update(id, { description: 'Orders' }),
    person.webhooks.rotateSecret(id),
    person.webhooks.redeliverSince(id, { since: new Date().toISOString() }),
    person.webhooks.deliveries(id, { status: 'failed', event: 'message.sent' }).page(),
    server.messages.dryRun({ to: '628123456789', text: 'hello' }),
    server.messages.sendBatch([{ to: '628123456789', text: 'hello' }]),
    server.events.list({ events: ['message.queued'], numberId }, { limit: 10 }),
    person.webhooks.replay(id, { since: new Date().toISOString() }),
    server.numbers.health(numberId),
    server.contacts.list({ q: 'budi', label: 'wholesale' }).page(),
    server.contacts.get(example.contactId).catch(conflict),
    server.contacts.update(example.contactId, { labels: ['wholesale'] }).catch(conflict),
    server.contacts.delete(example.contactId).catch(conflict),
    person.contacts.erase(example.contactId).catch(conflict),
    person.contacts.erasure(example.contactId).catch(conflict),
    server.contacts.create({ phoneNumber: '+62 812 3456 700', name: 'Dewi' }),
    server.contacts.merges(example.contactId).page(),
    server.contacts.merge(example.contactId, example.segmentId).catch(conflict),
    server.contacts.unmerge(example.segmentId).catch(conflict),
    server.contacts.import({ contacts: [{ phoneNumber: '628123456701' }], consentSource: 'till' }),
    server.contacts.importFile(new Blob(['Phone\r\n+628123456702']), {
      consentSource: 'till',
      mapping: { Phone: 'phoneNumber' },
      labels: ['retail'],
    }),
    server.contacts.imports().page(),
    server.contacts.getImport(example.segmentId).catch(conflict),
    server.contacts.refusedRows(example.segmentId).catch(conflict),
    server.contacts.export({ hasWritten: false }).then((stream) => stream.cancel()),
    server.contactLabels.list().page(),
    server.contactAttributes.list().page(),
    server.contactAttributes.declare('orders', { type: 'number' }).catch(conflict),
    server.contactAttributes.delete('city').catch(conflict),
    server.segments.list().page(),
    server.segments.create({ name: 'Lately', filter: { seenWithinDays: 30 } }),
    server.segments.get(example.segmentId).catch(conflict),
    server.segments.update(example.segmentId, { name: 'Later' }).catch(conflict),
    server.segments.delete(example.segmentId).catch(conflict),
    person.teams.create({ name: 'Sales' }).then(async ({ teamId }) => {
      await person.teams.get(teamId);
      await person.teams.update(teamId, { capPerAgent: 3 });
      await person.teams.delete(teamId);
    }),
    person.teams.list().page(),
    person.labels.create({ name: 'vip', color: '#1f6feb' }).then(async ({ labelId }) => {
      await person.labels.get(labelId);
      await person.labels.update(labelId, { color: '#d1242f' });
      await person.labels.delete(labelId);
    }),
    person.labels.list().page(),
    person.cannedReplies.create({ shortcut: 'bye', text: 'Bye.' }).then(async ({ cannedReplyId }) => {
      await person.cannedReplies.get(cannedReplyId);
      await person.cannedReplies.update(cannedReplyId, { text: 'See you.' });
      await person.cannedReplies.delete(cannedReplyId);
    }),
    person.cannedReplies.list().page(),
    person.conversations.list({ waiting: true }).page(),
    person.conversations.begin({ numberId, to: '628123456781' }),
    person.conversations.get(example.conversationId).catch(conflict),
    person.conversations.update(example.conversationId, { status: 'resolved' }).catch(conflict),
    person.conversations.counts(),
    person.conversations.people(),
    person.conversations.search('hello').page(),
    person.conversations.messages(example.conversationId).page().catch(conflict),
    person.conversations.answer(example.conversationId, { text: 'Hi.' }).catch(conflict),
    person.conversations.note(example.conversationId, 'Hm.').catch(conflict),
    person.conversations.contact(example.conversationId).catch(conflict),
    person.conversations.scheduled(example.conversationId).catch(conflict),
    person.conversations.cancelScheduled(example.conversationId, message.messageId).catch(conflict),
    person.conversations.activity(example.conversationId).page().catch(conflict),
    person.conversations.markRead(example.conversationId).catch(conflict),
    person.conversations.view(example.conversationId, 'viewing').catch(conflict),
    person.conversations.showTyping(example.conversationId, 'typing').catch(conflict),
    server.groups.list(numberId).page(),
    server.groups.get(numberId, example.groupId).catch(conflict),
    server.groups.create(numberId, { subject: 'Launch', participants: [] }).catch(conflict),
    server.groups.update(numberId, example.groupId, { isLocked: true }).catch(conflict),
    server.groups.leave(numberId, example.groupId).catch(conflict),
    server.groups
      .changeParticipants(numberId, example.groupId, { action: 'add', participants: ['628123456789'] })
      .catch(conflict),
    server.groups.invite(numberId, example.groupId).catch(conflict),
    server.groups.renewInvite(numberId, example.groupId).catch(conflict),
    server.groups.join(numberId, 'AbCdEf012345').catch(conflict),
    server.groups.joinRequests(numberId, example.groupId).catch(conflict),
    server.groups
      .decideJoinRequests(numberId, example.groupId, { action: 'reject', participants: ['628123456789'] })
      .catch(conflict),
    server.groups.sync(numberId).catch(conflict),
    server.numbers.checkContacts(numberId, ['628123456789']).catch(conflict),
    server.numbers.chatPicture(numberId, '628123456789').catch(conflict),
    server.numbers.blocked(numberId).catch(conflict),
    server.numbers.block(numberId, '628123456789').catch(conflict),
    server.numbers.unblock(numberId, '628123456789').catch(conflict),
    server.numbers.showTyping(numberId, '628123456789', 'typing').catch(conflict),
    server.numbers.profile(numberId).catch(conflict),
    person.numbers.updateProfile(numberId, { about: 'Nine to five' }).catch(conflict),
    server.settings.get(),
    person.settings.update({ stickyHours: 12 }),
    server.optOuts.list().page(),
    person.optOuts.add('628123456781'),
    person.optOuts.remove('628123456780').catch(conflict),
    person.apiKeys.list().page(),
    person.requests.list({ status: '4xx', since: new Date(0) }).page(),
    person.account(),
    person.stepUp({ password: 'wrong' }).catch(conflict),
    person.alerts.list({ open: true }).page(),
    person.alerts.acknowledge(key.id).catch(conflict),
    person.alertChannels.list().page(),
    person.alertChannels.get(channel.channelId),
    person.alertChannels.update(channel.channelId, { name: 'On call' }),
    person.alertChannels.test(channel.channelId),
    person.alertChannels.rotateSecret(channel.channelId).catch(conflict),
    person.alertChannels.deliveries(channel.channelId).page(),
    person.alertChannels.askAgain(channel.channelId).catch(conflict),
    person.bridges.list().catch(conflict),
    person.bridges.add().catch(conflict),
    person.bridges.drain(numberId).catch(conflict),
    person.bridges.resume(numberId).catch(conflict),
    person.bridges.revoke(numberId).catch(conflict),
    person.alertMutes.list().page(),
    person.alertMutes.delete(mute.id),
    person.requests.errors({ keyId: key.id }),
    person.requests.get('req_019ab0de-6f1c-7c4e-9d2b-3f8a5c7e1b42').catch(conflict),
    person.apiKeys.update(key.id, { name: 'till 2' }),
  ]);
  const { businessHoursId } = await person.businessHours.create({
    name: 'Office',
    timeZone: 'Asia/Jakarta',
    spans: [{ day: 'monday', from: '09:00', to: '17:00' }],
  });
  const { policyId } = await person.slaPolicies.create({ name: 'Standard', firstResponseSeconds: 3600 });
  await person.businessHours.update(businessHoursId, { holidays: [{ date: '2026-12-25' }] });
  await person.slaPolicies.update(policyId, { businessHoursOnly: true });
  expect(await person.businessHours.get(businessHoursId)).toMatchObject({
    holidays: [{ date: '2026-12-25', name: '' }],
  });
  expect(await person.slaPolicies.get(policyId)).toMatchObject({ businessHoursOnly: true });
  expect((await person.businessHours.list().page()).data).toHaveLength(1);
  expect((await person.slaPolicies.list().page()).data).toHaveLength(1);
  expect(await person.reports.support({ by: 'number' })).toMatchObject({ by: 'number' });
  await person.businessHours.delete(businessHoursId);
  await person.slaPolicies.delete(policyId);
  await answerByThemselves(person);
  const { deliveryId } = await person.webhooks.test(id);
  await person.webhooks.redeliver(id, deliveryId);
  await person.numbers.pair(fresh.numberId, { method: 'qr' });
  await person.numbers.pairing(fresh.numberId);
  await person.numbers.delete(fresh.numberId);
  await person.webhooks.delete(id);
  await person.alertChannels.delete(channel.channelId);
  await person.apiKeys.revoke(key.id);

  const documented = calls.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const unknown = sent.filter(
    (call) => !documented.some(({ method, pattern }) => method === call.method && pattern.test(call.path)),
  );
  expect(unknown).toEqual([]);
  const methods = [
    server.messages,
    server.events,
    person.numbers,
    person.webhooks,
    person.apiKeys,
    person.settings,
    person.optOuts,
    person.requests,
    person.alerts,
    person.businessHours,
    person.slaPolicies,
    person.assistants,
    person.conversationAssistants,
    person.automations,
    person.reports,
    person.alertChannels,
    person.alertMutes,
    person.bridges,
  ].flatMap((resource) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor'),
  );
  // `usage` stands on the client itself, and `events.follow` asks as `events.list` does.
  expect(new Set(sent.map((call) => Object.values(call).join(' '))).size).toBeGreaterThanOrEqual(
    methods.length,
  );
});

/** All calls of rules and assistants; what they ask of nobody's conversation is refused. */
async function answerByThemselves(person: Heliograph): Promise<void> {
  const refused = () => undefined;
  const rule = await person.automations.create({
    name: 'Rule',
    on: 'message.received',
    actions: [{ type: 'note', text: 'x' }],
  });
  const { automationId } = rule;
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await person.automations.list().page()).data).toHaveLength(1);
  await person.automations.update(automationId, { enabled: false });
  await person.automations.rotateSecret(automationId);
  await person.automations.runs(automationId).page();
  expect(await person.automations.dryRun(automationId, since)).toMatchObject({ counts: { runs: 0 } });
  expect((await person.automations.get(automationId)).enabled).toBe(false);
  const automation = { on: 'message.received' as const, actions: [{ type: 'note' as const, text: 'x' }] };
  expect(await person.automations.dryRunDraft({ since, automation })).toMatchObject({ counts: { runs: 0 } });
  await person.automations.delete(automationId);
  const { assistantId } = await person.assistants.create({
    name: 'Desk',
    provider: { kind: 'openai_compatible', baseUrl: 'http://127.0.0.1:1/v1', model: 'none' },
    instructions: 'Be kind.',
  });
  expect(await person.assistants.update(assistantId, { name: 'Front desk' })).toMatchObject({
    provider: { seesPictures: false },
  });
  expect((await person.assistants.list().page()).data).toHaveLength(1);
  expect((await person.assistants.get(assistantId)).name).toBe('Front desk');
  const { documentId } = await person.assistants.addDocument(assistantId, { name: 'Hours', text: 'From 9.' });
  await person.assistants.uploadDocument(assistantId, 'a.txt', new Blob(['To 17.'], { type: 'text/plain' }));
  expect((await person.assistants.documents(assistantId).page()).data).toHaveLength(2);
  await person.assistants.document(assistantId, documentId);
  await person.assistants.readDocument(assistantId, documentId).catch(refused);
  expect((await person.assistants.search(assistantId, 'from')).data).toHaveLength(1);
  await person.assistants.deleteDocument(assistantId, documentId);
  expect(await person.assistants.try(assistantId, { messages: [{ text: 'hello' }] })).toMatchObject({
    outcome: 'failed',
  });
  expect(await person.assistants.testProvider(assistantId)).toMatchObject({ ok: false });
  expect((await person.assistants.runs(assistantId).page()).data).toEqual([]);
  await person.assistants.run(assistantId, example.conversationId).catch(refused);
  expect(await person.assistants.report(assistantId)).toMatchObject({ answered: 0 });
  expect((await person.assistants.instructions(assistantId).page()).data).toEqual([]);
  await person.conversationAssistants.get(example.conversationId).catch(refused);
  await person.conversationAssistants.run(example.conversationId, example.conversationId).catch(refused);
  await person.conversationAssistants.order(example.conversationId, { action: 'pause' }).catch(refused);
  await person.assistants.delete(assistantId);
}

test('a person signs in with the client, which goes on in a new session when theirs was ended', async () => {
  const { email, password, accountId } = await openAccount();
  const paths: string[] = [];
  const person = await Heliograph.login({
    baseUrl: 'https://gateway.test',
    email,
    password,
    fetch: (input, init) => {
      const request = new Request(input, init);
      paths.push(new URL(request.url).pathname);
      return exports.default.fetch(request);
    },
  });
  expect(person.session.account).toMatchObject({ id: accountId, role: 'owner' });
  const path = '/v1/auth/sessions';
  const { data } = await person.request<{ data: { id: string; current: boolean }[] }>({
    method: 'GET',
    path,
  });
  const current = data.find((session) => session.current);
  await person.request({ method: 'DELETE', path: `${path}/${current?.id}` });
  paths.length = 0;
  expect(await person.usage()).toMatchObject({ used: 0 });
  expect(paths).toEqual(['/v1/usage', '/v1/auth/refresh', '/v1/auth/login', '/v1/usage']);

  await person.session.logout();
  const signedOut = await person.usage().catch((error: unknown) => error);
  expect(signedOut).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
});
