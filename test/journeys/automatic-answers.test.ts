import { randomInt, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { waitUntil } from '../wait-until.ts';
import { type ArrivedMessage, Customer } from './stage/customer.ts';
import type { GatewayProcess } from './stage/gateway-process.ts';
import { test } from './stage/workers-gateway.ts';

let gateway: GatewayProcess;
let customer: Customer;
let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer();
});
test.beforeAll(({ gateway: workers }) => {
  gateway = workers;
});
afterEach(() => customer?.leave());
afterAll(() => models?.stop());

/** Phones of people who write to the customer, and read what they get. */
async function people(count: number): Promise<string[]> {
  const phones = Array.from({ length: count }, () => `1555${randomInt(1e6, 1e7)}`);
  await Promise.all(
    phones.map((phone) => customer.scriptPhone({ autoDeliver: true, autoRead: true }, phone)),
  );
  return phones;
}

/**
 * A phone writes to the customer, once: over a connection of its own, since one that lay idle during a restart may be
 * closed at the moment of the request, and then nobody knows whether it was heard.
 */
function phoneWrites(from: string, text: string): Promise<void> {
  const url = `http://127.0.0.1:${gateway.environment.SIMULATOR_PORT}/admin/phones/${from}/messages`;
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent: false, headers }, (response) => {
      response.resume();
      const isTaken = response.statusCode !== undefined && response.statusCode < 300;
      response.on('end', () => (isTaken ? resolve() : reject(new Error(`answered ${response.statusCode}`))));
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ to: customer.phoneNumber, text }));
  });
}

/** They write one after the other; in the middle of it the runtime is killed, again and again. */
async function writeThroughCrashes(letters: { from: string; text: string }[], kills: number): Promise<void> {
  const every = Math.ceil(letters.length / (kills + 1));
  let restarted: Promise<void> = Promise.resolve();
  for (const [index, { from, text }] of letters.entries()) {
    await phoneWrites(from, text);
    if (index % every !== every - 1 || index === letters.length - 1) continue;
    await restarted;
    restarted = gateway.killAndAwaitRestart('workerd');
  }
  await restarted;
}

/** What each of them got, once everybody has so many messages. */
const everybodyGot = (phones: readonly string[], count: number) =>
  waitUntil('Not everybody was answered', async () => {
    const { data } = await customer.simulator<{ data: ArrivedMessage[] }>('GET', '/admin/messages');
    const got = phones.map((phone) => data.filter(({ to }) => to === phone));
    return got.every((messages) => messages.length >= count) ? got : null;
  });

/** Call it once everything is over: then nothing comes on top. */
const expectOnce = (got: ArrivedMessage[][], count: number) => {
  expect(got.filter((messages) => messages.length !== count)).toEqual([]);
  expect(got.flat().filter((message) => message.count !== 1)).toEqual([]);
  expect(new Set(got.flat().map(({ id }) => id)).size).toBe(got.length * count);
};

test('a rule answers each of many messages once, while the runtime is killed under it', async () => {
  customer = await Customer.join(gateway);
  const reply = `The list ${randomUUID()}`;
  const { automationId } = await customer.admin<{ automationId: string }>('POST', '/v1/automations', {
    name: 'Prices',
    on: 'message.received',
    conditions: [{ field: 'text', operator: 'contains', value: 'price' }],
    actions: [{ type: 'reply', text: reply }],
  });
  const phones = await people(12);
  const letters = Array.from({ length: 4 }, (_, round) =>
    phones.map((from) => ({ from, text: `price ${round} ${randomUUID()}` })),
  ).flat();
  await writeThroughCrashes(letters, 2);
  await everybodyGot(phones, 4);
  // All runs are over: whatever was to be sent was.
  const runs = await waitUntil('Not every run ended', async () => {
    const path = `/v1/automations/${automationId}/runs?limit=200&ran=true`;
    const { data } = await customer
      .admin<{ data: { actions: { state: string }[] }[] }>('GET', path)
      .catch(() => ({ data: [] }));
    const states = data.flatMap(({ actions }) => actions.map(({ state }) => state));
    return states.length >= letters.length && !states.includes('pending') ? states : null;
  });
  expect(runs).toEqual(letters.map(() => 'done'));
  const got = await everybodyGot(phones, 4);
  expectOnce(got, 4);
  expect(new Set(got.flat().map(({ text }) => text))).toEqual(new Set([reply]));
});

test('of a hundred conversations, while the runtime is killed under them, each is answered once or handed off, none twice', async () => {
  customer = await Customer.join(gateway);
  const handOff = 'A person takes over.';
  const { assistantId } = await customer.admin<{ assistantId: string }>('POST', '/v1/assistants', {
    name: 'Front desk',
    enabled: true,
    provider: { kind: 'openai_compatible', baseUrl: models.url, model: 'late=200#journey' },
    instructions: 'You work for Blue Lamp.',
    debounceSeconds: 0,
    handOff: { message: handOff },
  });
  const phones = await people(100);
  const letters = phones.map((from) => ({ from, text: `question ${randomUUID()}` }));
  await writeThroughCrashes(letters, 2);
  await everybodyGot(phones, 1);
  const runs = await waitUntil('Not every turn ended', async () => {
    const path = `/v1/assistants/${assistantId}/runs?limit=200`;
    const { data } = await customer
      .admin<{ data: { outcome: string; question: string }[] }>('GET', path)
      .catch(() => ({ data: [] }));
    const isOver = data.length >= phones.length && data.every(({ outcome }) => outcome !== 'running');
    return isOver ? data : null;
  });
  expect(runs.map(({ question }) => question).sort()).toEqual(letters.map(({ text }) => text).sort());
  const got = await everybodyGot(phones, 1);
  expectOnce(got, 1);
  for (const [index, [message]] of got.entries()) {
    expect([`You said: ${letters[index]?.text}`, handOff]).toContain(message?.text);
  }
  // Handed off is an exception: most have their answer.
  const answered = runs.filter(({ outcome }) => outcome === 'answered');
  expect(answered.length).toBeGreaterThan(50);
  expect(runs.filter(({ outcome }) => outcome === 'dropped')).toEqual([]);
});
