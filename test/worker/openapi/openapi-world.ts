import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { example } from '../../../src/worker/openapi/examples/example-values.ts';
import { FakeBridge } from '../../durable/phone-number/fake-bridge.ts';
import { FakeNetwork, groupOf } from '../../durable/phone-number/fake-network.ts';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import type { Call } from './openapi-document.ts';

/** An account in which everything exists that an example names. */
export interface World {
  account: TestAccount;
  /** What stands in the examples, and what it is in this account. */
  names: Map<string, string>;
  /** Headers beyond the credential. */
  headers: Record<string, string>;
}

const now = () => new Date().toISOString();

let phones = 15_550_000_000;

/** A number, paired and connected through a bridge that takes what it is given. */
async function connectNumber({ account }: World): Promise<string> {
  phones += 1;
  const phoneNumber = String(phones);
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const path = `/v1/numbers/${body.numberId}`;
  await ask('POST', `${path}/pair`, { headers: account.owner, json: { method: 'qr' } });
  const bridge = await FakeBridge.link(body.numberId);
  // As bridges do: a link over which nothing is heard for long is closed.
  setInterval(() => bridge.closed ?? bridge.sayRaw('ping'), 10_000);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  const contacts = [{ phoneNumber: example.recipient, name: 'Budi Santoso' }];
  const group = groupOf(example.groupId, [phoneNumber, example.recipient]);
  new FakeNetwork(bridge, phoneNumber, [group]);
  await bridge.tell({ type: 'session.connected', phoneNumber, at: now() });
  await bridge.tell({ type: 'contacts.listed', at: now(), contacts });
  await eventually(async () => {
    const groups = await ask('GET', `${path}/groups`, { headers: account.owner });
    return groups.body.data.length > 0;
  });
  await eventually(async () => {
    return (await ask('GET', path, { headers: account.owner })).body.state === 'connected';
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
  if (vi.isMockFunction(globalThis.fetch)) return;
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    return request.url.startsWith('https://example.com/') ? new Response('ok') : original(request);
  });
}

let recipients = 628_570_000_000;
/** Somebody whom nobody has written to. */
export const newRecipient = () => String(recipients++);

/** What this request of the owner has made, by the field of the answer that names it. */
const made = (path: string, json: object, idName: string) => async (world: World) => {
  const { body, text } = await ask('POST', path, { headers: world.account.owner, json });
  if (body[idName] === undefined) throw new Error(`POST ${path}: ${text}`);
  return body[idName] as string;
};

/** How each thing that an example names is made, by the id that it has there. */
const things: Record<string, (world: World) => Promise<string>> = {
  [example.numberId]: connectNumber,
  [example.apiKeyId]: made('/v1/auth/api-keys', { name: 'till' }, 'id'),
  async [example.webhookId](world) {
    answerCallbacks();
    return made('/v1/webhooks', { url: example.receiver, numberIds: 'all', events: 'all' }, 'id')(world);
  },
  async [example.alertChannelId](world) {
    answerCallbacks();
    return made('/v1/alert-channels', { kind: 'webhook', target: example.receiver }, 'channelId')(world);
  },
  async [example.messageId](world) {
    await need(world, example.numberId);
    const json = { to: '628123456789', text: 'hello' };
    return (await ask('POST', '/v1/messages/send', { headers: world.account.server, json })).body.messageId;
  },
  async [example.mediaId]({ account: { owner } }) {
    const headers = { ...owner, 'Content-Type': 'application/octet-stream' };
    const raw = new TextEncoder().encode('the bytes');
    return (await ask('POST', '/v1/media', { headers, raw })).body.mediaId;
  },
  [example.automationId]: made(
    '/v1/automations',
    { name: 'Away', on: 'outside_hours', actions: [{ type: 'reply', text: 'We are closed.' }] },
    'automationId',
  ),
  async [example.requestId]({ account: { server, owner } }) {
    const { headers } = await ask('GET', '/v1/messages/msg_1', { headers: server });
    const requestId = headers.get('X-Request-Id') ?? '';
    const path = `/v1/requests/${requestId}`;
    await eventually(async () => (await ask('GET', path, { headers: owner })).status === 200);
    return requestId;
  },
  async [example.deliveryId](world) {
    const webhookId = await need(world, example.webhookId);
    // Its status is told to the webhook.
    await things[example.messageId]?.(world);
    const path = `/v1/webhooks/${webhookId}/deliveries?status=delivered`;
    return eventually(
      async () => (await ask('GET', path, { headers: world.account.owner })).body.data[0]?.deliveryId,
    );
  },
  [example.contactId]: (world) =>
    made('/v1/contacts', { phoneNumber: newRecipient(), name: 'Siti' }, 'contactId')(world),
  async [example.conversationId](world) {
    const numberId = await need(world, example.numberId);
    return made('/v1/conversations', { numberId, to: example.recipient }, 'conversationId')(world);
  },
  async [example.teamId](world) {
    const { body } = await ask('GET', '/v1/auth/me', { headers: world.account.owner });
    return made('/v1/teams', { name: unique('Sales'), memberIds: [body.user.id] }, 'teamId')(world);
  },
  [example.labelId]: (world) =>
    made('/v1/labels', { name: unique('vip'), color: '#1f6feb' }, 'labelId')(world),
  [example.cannedReplyId]: (world) =>
    made('/v1/canned-replies', { shortcut: unique('bye'), text: 'Bye.' }, 'cannedReplyId')(world),
  [example.businessHoursId]: (world) => {
    const spans = [{ day: 'monday', from: '09:00', to: '17:00' }];
    const json = { name: unique('Shop'), timeZone: 'UTC', spans };
    return made('/v1/business-hours', json, 'businessHoursId')(world);
  },
  [example.policyId]: (world) =>
    made('/v1/sla-policies', { name: unique('Slow'), resolutionSeconds: 86_400 }, 'policyId')(world),
};

let names = 0;
function unique(name: string): string {
  names += 1;
  return `${name}${names}`;
}

/** The id of the thing in this account; it is made when it is not there, or is used up. */
export async function need(world: World, example: string): Promise<string> {
  const known = world.names.get(example);
  if (known !== undefined) return known;
  const id = await things[example]?.(world);
  if (id === undefined) throw new Error(`nobody knows how to make ${example}`);
  world.names.set(example, id);
  return id;
}

/** Makes whatever of the example is not there. */
export async function needAllOf(world: World, example: unknown): Promise<void> {
  const text = JSON.stringify(example);
  for (const name of Object.keys(things)) if (text.includes(name)) await need(world, name);
}

/** A fresh account with a key, and nothing else. */
export async function openEmptyWorld(): Promise<World> {
  const account = await openAccount();
  return {
    account,
    headers: {},
    names: new Map([
      [example.accountId, account.accountId],
      ['ada@example.com', account.email],
    ]),
  };
}

/** A fresh account with a connected number, a key, a webhook, a message, a delivery that is through, and so on. */
export async function openWorld(): Promise<World> {
  const world = await openEmptyWorld();
  for (const name of Object.keys(things)) await need(world, name);
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
