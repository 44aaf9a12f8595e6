import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Secret, TOTP } from 'otpauth';
import { bridgeProtocolVersion } from '../../../src/contract/bridge/bridge-frames.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { hashPassword, quickCost } from '../../../src/worker/auth/password.ts';
import { example } from '../../../src/worker/openapi/examples/example-values.ts';
import { deviceChanged, failed, received, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { doorWith, mailVariables, nextMail, refreshCookieOf } from '../configured-door.ts';
import { ask, eventually, type TestAccount, writeToNumber } from '../front-door.ts';
import { need, newRecipient, pairingNumber, type World } from './openapi-world.ts';

/** The door of a gateway that takes sign-ups and sends e-mails. */
export const openDoor = () => doorWith({ ...mailVariables(), SIGNUP: 'open' });

const newAddress = () => `${crypto.randomUUID()}@example.com`;

/** A session bridge that has said hello. */
async function linkBridge({ names }: World): Promise<void> {
  const fleet = env.BRIDGE_FLEET.getByName('fleet');
  const bridgeId = newUuid();
  const { webSocket } = await fleet.fetch(`https://edge/bridge/control?bridge=${bridgeId}`, {
    headers: { Upgrade: 'websocket' },
  });
  webSocket?.accept();
  const hello = { type: 'bridge.hello', version: bridgeProtocolVersion, bridgeId, capacity: 1, leases: [] };
  webSocket?.send(JSON.stringify(hello));
  await eventually(async () => (await fleet.bridges()).some((bridge) => bridge.bridgeId === bridgeId));
  names.set(example.bridgeId, bridgeId);
}

/** Puts the token of the newest e-mail at this address where the example has one. */
async function takeMailToken({ names }: World, address: string): Promise<void> {
  names.set(example.mailToken, (await nextMail(address, /./)).token);
}

/** Another person of the account, who administrates nothing. */
export const addAgent = (account: TestAccount) => addMember(account, 'agent');

/** Another person of the account. */
export async function addMember(account: TestAccount, role: 'admin' | 'agent', password = 'long enough') {
  const [userId, email] = [crypto.randomUUID(), newAddress()];
  await env.DB.batch([
    env.DB.prepare(
      'insert into users (id, email, name, password_hash, created_at) values (?, ?, ?, ?, 0)',
    ).bind(userId, email, 'Bob', await hashPassword(password, quickCost)),
    env.DB.prepare('insert into memberships (user_id, account_id, role) values (?, ?, ?)').bind(
      userId,
      account.accountId,
      role,
    ),
  ]);
  return { userId, email, password };
}

/** A secret of an authenticator that waits for its first code; the code stands where the example has one. */
async function enableTwoFactor({ account, names }: World): Promise<void> {
  const { owner: headers, password } = account;
  const { body } = await ask('POST', '/v1/auth/two-factor/enable', { headers, json: { password } });
  names.set('492039', new TOTP({ secret: Secret.fromBase32(body.secret) }).generate());
}

async function turnTwoFactorOn(world: World): Promise<void> {
  await enableTwoFactor(world);
  const json = { code: world.names.get('492039') };
  const { body } = await ask('POST', '/v1/auth/two-factor/verify', { headers: world.account.owner, json });
  // A code is good once; a recovery code stands in for the next one.
  world.names.set('492039', body.recoveryCodes[0]);
}

async function signInAgain({ account: { email, password }, headers }: World): Promise<void> {
  const answer = await ask('POST', '/v1/auth/login', { json: { email, password } });
  Object.assign(headers, refreshCookieOf(answer).header);
}

/** The recipient of the examples writes STOP. */
async function optOut(world: World): Promise<void> {
  await writeToNumber(world.account, await need(world, example.numberId), example.recipient, 'STOP');
}

/** A message that the network has taken stands where the example has one. */
async function sendMessage(world: World): Promise<void> {
  const { account, names } = world;
  const message = record({ numberId: await need(world, example.numberId), queuedAt: Date.now() });
  await logOf(env, account.accountId).take([sent(message)]);
  names.set(example.messageId, message.messageId);
}

/** Somebody of whom only the alias is known stands where the example has another contact. */
async function addAlias(world: World): Promise<void> {
  const { account, names } = world;
  const numberId = await need(world, example.numberId);
  const log = logOf(env, account.accountId);
  const lid = `1${Date.now()}`;
  await log.take([received({ from: lid, senderLid: lid, pushName: 'Alias' }, numberId)]);
  const { contacts } = await log.contacts({ q: 'alias' }, 1, null);
  names.set(example.mergeId, contacts[0]?.contactId ?? '');
}

async function importOne({ account, names }: World): Promise<void> {
  const json = { contacts: [{ phoneNumber: 'none' }], consentSource: 'example' };
  const { body } = await ask('POST', '/v1/contacts/import', { headers: account.owner, json });
  names.set(example.importId, body.importId);
}

async function saveSegment({ account, names }: World): Promise<void> {
  const json = { name: `Segment ${newUuid()}`, filter: { hasWritten: true } };
  const { body } = await ask('POST', '/v1/segments', { headers: account.owner, json });
  names.set(example.segmentId, body.segmentId);
}
/** An assistant that asks nobody, and something that it knows, stand where the examples have them. */
async function makeAssistant({ account: { owner: headers }, names }: World): Promise<void> {
  const provider = { kind: 'openai_compatible', baseUrl: 'http://127.0.0.1:1/v1', model: 'none' };
  const assistant = { name: 'Desk', instructions: 'Be kind.', provider };
  const { body } = await ask('POST', '/v1/assistants', { headers, json: assistant });
  const document = { url: 'https://example.com/delivery' };
  const known = await ask('POST', `/v1/assistants/${body.assistantId}/documents`, {
    headers,
    json: document,
  });
  names.set(example.assistantId, body.assistantId).set(example.documentId, known.body.documentId);
}

const withAssistant = Object.fromEntries(
  [
    'getAssistant',
    'updateAssistant',
    'deleteAssistant',
    'tryAssistant',
    'testAssistantProvider',
    'addAssistantDocument',
    'uploadAssistantDocument',
    'listAssistantDocuments',
    'getAssistantDocument',
    'readAssistantDocument',
    'deleteAssistantDocument',
    'searchAssistantKnowledge',
    'listAssistantRuns',
    'listAssistantInstructions',
    'getAssistantReport',
  ].map((operationId) => [operationId, makeAssistant]),
);

/** An assistant that has answered once. */
async function makeRun(world: World): Promise<void> {
  await makeAssistant(world);
  const { account, names } = world;
  const conversationId = await need(world, example.conversationId);
  const turnId = newUuid();
  await runInDurableObject(logOf(env, account.accountId), (_, { storage }) =>
    storage.sql.exec(
      `INSERT INTO assistant_turns (turn_id, conversation_id, assistant_id, state, first_message, last_message, due_at,
         attempts, begun_at, ended_at, question, reply, input_tokens, output_tokens)
       VALUES (?, ?, ?, 'answered', 1, 1, 1, 1, 1, 2, 'Are you open?', 'Yes.', 10, 2)`,
      turnId,
      conversationId,
      names.get(example.assistantId) ?? newUuid(),
    ),
  );
  names.set(example.turnId, turnId);
}

const draft = {
  name: 'Spring collection',
  message: { text: 'Hello {{name|there}}, the spring collection is here.' },
  audience: { all: true, coldContacts: true },
};

/** A campaign, to which this was done, stands where the example has one. */
const campaign =
  (...verbs: string[]) =>
  async (world: World): Promise<void> => {
    // Somebody to write to, and a number that does.
    await need(world, example.numberId);
    const { account, names } = world;
    const { owner: headers } = account;
    const { body } = await ask('POST', '/v1/campaigns', { headers, json: draft });
    names.set(example.campaignId, body.campaignId);
    for (const verb of verbs) await ask('POST', `/v1/campaigns/${body.campaignId}/${verb}`, { headers });
  };

/** A campaign of which a message has failed stands where the example has one. */
async function failCampaign(world: World): Promise<void> {
  await campaign('start')(world);
  const { account, names } = world;
  const firstOf = (status: string) =>
    eventually(async () => {
      const path = `/v1/campaigns/${names.get(example.campaignId)}/recipients?status=${status}`;
      return (await ask('GET', path, { headers: account.owner })).body.data[0];
    });
  const { messageId, numberId, phoneNumber } = await firstOf('queued');
  await logOf(env, account.accountId).take([failed(record({ messageId, numberId, to: phoneNumber }))]);
  await firstOf('failed');
}

/** A channel for an address of nobody in the account, which was asked, stands where the example has one. */
async function addAlertAddress({ account, names }: World): Promise<string> {
  const address = newAddress();
  const json = { kind: 'email', target: address };
  const { body } = await openDoor()('POST', '/v1/alert-channels', { headers: account.owner, json });
  names.set(example.alertChannelId, body.channelId);
  return address;
}

async function muteAlerts({ account, names }: World): Promise<void> {
  const json = { minutes: 60 };
  const { body } = await ask('POST', '/v1/alert-mutes', { headers: account.owner, json });
  names.set(example.alertMuteId, body.id);
}

/** What an operation's example needs beyond the world: other things behind its names, or headers. */
export const arrangements: Record<string, (world: World) => Promise<void>> = {
  ...withAssistant,
  getAssistantRun: makeRun,
  getConversationRun: makeRun,
  async pairNumber({ account, names }) {
    names.set(example.numberId, await pairingNumber(account));
  },
  async getPairing({ account, names }) {
    names.set(example.numberId, await pairingNumber(account));
  },
  async signUp({ names }) {
    names.set('ada@example.com', newAddress());
  },
  async verifySignUp(world) {
    const email = newAddress();
    const json = { email, name: 'Eve', accountName: 'Eve Ltd' };
    await openDoor()('POST', '/v1/auth/sign-up', { json });
    await takeMailToken(world, email);
  },
  async resetPassword(world) {
    const { email } = world.account;
    await openDoor()('POST', '/v1/auth/password/forgot', { json: { email } });
    await takeMailToken(world, email);
  },
  async createTeam({ account, names }) {
    names.set(example.colleagueId, (await addAgent(account)).userId);
  },
  async cancelScheduledMessage(world) {
    // A chat of its own: whoever is in the example may have opted out, or been erased, by then.
    const { account, names } = world;
    const { owner: headers } = account;
    const begun = { numberId: await need(world, example.numberId), to: newRecipient() };
    const chat = await ask('POST', '/v1/conversations', { headers, json: begun });
    const path = `/v1/conversations/${chat.body.conversationId}`;
    const json = { text: 'later', sendAt: new Date(Date.now() + 3_600_000).toISOString() };
    const { body } = await ask('POST', `${path}/messages`, { headers, json });
    names.set(example.conversationId, chat.body.conversationId).set(example.messageId, body.messageId);
    const scheduled = `${path}/scheduled`;
    await eventually(
      async () => (await ask('GET', scheduled, { headers: account.owner })).body.data.length === 1,
    );
  },
  editMessage: sendMessage,
  deleteMessage: sendMessage,
  reactToMessage: sendMessage,
  takeReactionBack: sendMessage,
  async markMessageRead(world) {
    const { account, names } = world;
    const log = logOf(env, account.accountId);
    await log.take([received({}, await need(world, example.numberId))]);
    const { messages } = await log.messages({ direction: 'inbound' }, 1, null);
    names.set(example.messageId, messages[0]?.messageId ?? '');
  },
  async acknowledgeAlert({ account, names }) {
    const numberId = newUuid();
    await logOf(env, account.accountId).take([deviceChanged({ numberId, state: 'banned' })]);
    const { body } = await ask('GET', '/v1/alerts', { headers: account.owner });
    names.set(example.alertId, body.data[0].id);
  },
  async listAlertDeliveries(world) {
    const path = `/v1/alert-channels/${await need(world, example.alertChannelId)}/test`;
    await ask('POST', path, { headers: world.account.owner });
  },
  async askAlertAddress(world) {
    await addAlertAddress(world);
  },
  async confirmAlertAddress(world) {
    const address = await addAlertAddress(world);
    await takeMailToken(world, address);
  },
  listAlertMutes: muteAlerts,
  unmuteAlerts: muteAlerts,
  async getContactErasure(world) {
    const path = `/v1/contacts/${await need(world, example.contactId)}?erase=true`;
    const { body } = await ask('DELETE', path, { headers: world.account.owner });
    world.names.delete(example.contactId);
    world.names.set(example.erasureId, body.erasureId);
  },
  mergeContacts: addAlias,
  async unmergeContacts(world) {
    await addAlias(world);
    const { account, names } = world;
    const { owner: headers } = account;
    const contact = await ask('POST', '/v1/contacts', { headers, json: { phoneNumber: newRecipient() } });
    const json = { contactId: contact.body.contactId, otherContactId: names.get(example.mergeId) };
    const { body } = await ask('POST', '/v1/contacts/merges', { headers, json });
    names.set(example.mergeId, body.mergeId);
  },
  getContactImport: importOne,
  downloadRefusedRows: importOne,
  getSegment: saveSegment,
  updateSegment: saveSegment,
  deleteSegment: saveSegment,
  async deleteContactAttribute({ account }) {
    await logOf(env, account.accountId).declareContactAttribute('orders', 'number');
  },
  getCampaign: campaign(),
  updateCampaign: campaign(),
  deleteCampaign: campaign(),
  previewCampaign: campaign(),
  startCampaign: campaign(),
  pauseCampaign: campaign('start'),
  resumeCampaign: campaign('start', 'pause'),
  cancelCampaign: campaign('start', 'pause'),
  retryFailedRecipients: failCampaign,
  duplicateCampaign: campaign(),
  listCampaignRecipients: campaign('start'),
  testCampaign: campaign(),
  listOptOuts: optOut,
  removeOptOut: optOut,
  refresh: signInAgain,
  logout: signInAgain,
  async endSession(world) {
    await signInAgain(world);
    const { body } = await ask('GET', '/v1/auth/sessions', { headers: world.account.owner });
    world.names.set(example.sessionId, body.data.find((it: { current: boolean }) => !it.current).id);
  },
  verifyTwoFactor: enableTwoFactor,
  renewRecoveryCodes: turnTwoFactorOn,
  disableTwoFactor: turnTwoFactorOn,
  async updateMember({ account, names }) {
    names.set(example.colleagueId, (await addAgent(account)).userId);
  },
  async removeMember({ account, names }) {
    names.set(example.colleagueId, (await addAgent(account)).userId);
  },
  async withdrawInvitation({ account, names }) {
    const json = { email: newAddress(), role: 'agent' };
    const { body } = await ask('POST', '/v1/auth/invitations', { headers: account.owner, json });
    names.set(example.invitationId, body.id);
  },
  drainBridge: linkBridge,
  revokeBridge: linkBridge,
  resumeBridge: linkBridge,
  async acceptInvitation(world) {
    const email = newAddress();
    const json = { email, role: 'agent' };
    await openDoor()('POST', '/v1/auth/invitations', { headers: world.account.owner, json });
    await takeMailToken(world, email);
  },
};
