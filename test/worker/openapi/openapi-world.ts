import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import {
  exampleAccountId,
  exampleApiKeyId,
  exampleAutomationId,
  exampleBusinessHoursId,
  exampleCannedReplyId,
  exampleContactId,
  exampleConversationId,
  exampleDeliveryId,
  exampleGroupId,
  exampleLabelId,
  exampleMediaId,
  exampleMessageId,
  exampleNumberId,
  examplePolicyId,
  exampleReceiver,
  exampleRecipient,
  exampleTeamId,
  exampleWebhookId,
} from '../../../src/worker/openapi/examples/example-values.ts';
import { FakeBridge } from '../../durable/phone-number/fake-bridge.ts';
import { FakeNetwork, groupOf } from '../../durable/phone-number/fake-network.ts';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import type { Call } from './openapi-document.ts';

/** Business hours and a policy, by the names of their ids. */
async function setHours({ owner: headers }: TestAccount): Promise<[string, string][]> {
  const spans = [{ day: 'monday', from: '09:00', to: '17:00' }];
  const hours = await ask('POST', '/v1/business-hours', {
    headers,
    json: { name: 'Shop', timeZone: 'UTC', spans },
  });
  const policy = await ask('POST', '/v1/sla-policies', {
    headers,
    json: { name: 'Slow', resolutionSeconds: 86_400 },
  });
  return [
    [exampleBusinessHoursId, hours.body.businessHoursId],
    [examplePolicyId, policy.body.policyId],
  ];
}

/** An account in which everything exists that an example names. */
export interface World {
  account: TestAccount;
  /** What stands in the examples, and what it is in this account. */
  names: Map<string, string>;
  /** Headers beyond the credential. */
  headers: Record<string, string>;
}

const now = () => new Date().toISOString();

/** A number, paired and connected through a bridge that takes what it is given. */
async function connectNumber(account: TestAccount): Promise<string> {
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const path = `/v1/numbers/${body.numberId}`;
  await ask('POST', `${path}/pair`, { headers: account.owner, json: { method: 'qr' } });
  const bridge = await FakeBridge.link(body.numberId);
  // As bridges do: a link over which nothing is heard for long is closed.
  setInterval(() => bridge.closed ?? bridge.sayRaw('ping'), 10_000);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  const contacts = [{ phoneNumber: exampleRecipient, name: 'Budi Santoso' }];
  const group = groupOf(exampleGroupId, ['15550000001', exampleRecipient]);
  new FakeNetwork(bridge, '15550000001', [group]);
  await bridge.tell({ type: 'session.connected', phoneNumber: '15550000001', at: now() });
  await bridge.tell({ type: 'contacts.listed', at: now(), contacts });
  await eventually(async () => {
    const groups = await ask('GET', `${path}/groups`, { headers: account.owner });
    return groups.body.data.length > 0;
  });
  await eventually(async () => {
    const number = await ask('GET', '/v1/numbers', { headers: account.owner });
    return number.body.data[0].state === 'connected';
  });
  return body.numberId;
}

/** A number while somebody pairs it: its QR code is on the screen. */
export async function pairingNumber(account: TestAccount): Promise<string> {
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Desk' } });
  const path = `/v1/numbers/${body.numberId}`;
  await ask('POST', `${path}/pair`, { headers: account.owner, json: { method: 'qr' } });
  const bridge = await FakeBridge.link(body.numberId);
  bridge.say({ type: 'link.ready' });
  const { pairingId } = await bridge.take('session.pair');
  await bridge.tell({ type: 'pairing.qr', pairingId, qr: '2@scan,me', expiresAt: now() });
  return body.numberId;
}

/** The receiver of the examples takes everything; whatever else is called, is called. */
function answerCallbacks(): void {
  vi.restoreAllMocks();
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    return request.url.startsWith('https://example.com/') ? new Response('ok') : original(request);
  });
}

/** A fresh account with a key, and nothing else. */
export async function openEmptyWorld(): Promise<World> {
  const account = await openAccount();
  return {
    account,
    headers: {},
    names: new Map([
      [exampleApiKeyId, account.apiKeyId],
      [exampleAccountId, account.accountId],
      ['ada@example.com', account.email],
    ]),
  };
}

/** A fresh account with a connected number, a key, a webhook, a message, and a delivery that is through. */
export async function openWorld(): Promise<World> {
  const world = await openEmptyWorld();
  const { owner, server } = world.account;
  answerCallbacks();
  const numberId = await connectNumber(world.account);
  const hook = { url: exampleReceiver, numberIds: 'all', events: 'all' };
  const webhook = await ask('POST', '/v1/webhooks', { headers: owner, json: hook });
  const json = { to: '628123456789', text: 'hello' };
  const message = await ask('POST', '/v1/messages/send', { headers: server, json });
  const media = await ask('POST', '/v1/media', {
    headers: { ...owner, 'Content-Type': 'application/octet-stream' },
    raw: new TextEncoder().encode('the bytes'),
  });
  const automation = await ask('POST', '/v1/automations', {
    headers: owner,
    json: { name: 'Away', on: 'outside_hours', actions: [{ type: 'reply', text: 'We are closed.' }] },
  });
  const deliveryId = await eventually(async () => {
    const path = `/v1/webhooks/${webhook.body.id}/deliveries?status=delivered`;
    return (await ask('GET', path, { headers: owner })).body.data[0]?.deliveryId;
  });
  const contactId = await eventually(async () => {
    return (await ask('GET', '/v1/contacts', { headers: owner })).body.data[0]?.contactId;
  });
  const conversation = await ask('POST', '/v1/conversations', {
    headers: owner,
    json: { numberId, to: exampleRecipient },
  });
  const memberIds = [(await ask('GET', '/v1/auth/me', { headers: owner })).body.user.id];
  const team = await ask('POST', '/v1/teams', { headers: owner, json: { name: 'Sales', memberIds } });
  const label = await ask('POST', '/v1/labels', { headers: owner, json: { name: 'vip', color: '#1f6feb' } });
  const reply = await ask('POST', '/v1/canned-replies', {
    headers: owner,
    json: { shortcut: 'bye', text: 'Bye.' },
  });
  for (const [name, id] of await setHours(world.account)) world.names.set(name, id);
  world.names
    .set(exampleNumberId, numberId)
    .set(exampleContactId, contactId)
    .set(exampleWebhookId, webhook.body.id)
    .set(exampleAutomationId, automation.body.automationId)
    .set(exampleMessageId, message.body.messageId)
    .set(exampleMediaId, media.body.mediaId)
    .set(exampleDeliveryId, deliveryId)
    .set(exampleConversationId, conversation.body.conversationId)
    .set(exampleTeamId, team.body.teamId)
    .set(exampleLabelId, label.body.labelId)
    .set(exampleCannedReplyId, reply.body.cannedReplyId);
  return world;
}

/** The example as it reads in this account. */
export function inWorld<Value>({ names }: World, example: Value): Value {
  let text = JSON.stringify(example) ?? 'null';
  for (const [name, actual] of names) text = text.replaceAll(name, actual);
  return JSON.parse(text);
}

/** The credential that the operation asks for: the key where a key will do. */
export function credentialFor({ operation }: Call, account: TestAccount): Record<string, string> {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
  if (schemes.includes('apiKey')) return account.server;
  if (schemes.includes('operatorToken')) return { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };
  return schemes.includes('dashboardToken') ? account.owner : {};
}
