import { expect } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import type { AcceptedMessage, Customer } from './customer.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { isSigned } from './webhook-receiver.ts';

const steps = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];

/** Each accepted message is on the network once, by id and by text, and nothing else is. */
export async function expectOnceOnTheNetwork(customer: Customer, accepted: AcceptedMessage[]): Promise<void> {
  const texts = accepted.map(({ text }) => text).sort();
  const arrived = await waitUntil('Not every message arrived at the phone', async () => {
    const rows = await customer.arrived();
    const present = new Set(rows.map(({ text }) => text));
    return texts.every((text) => present.has(text)) ? rows : null;
  });
  expect(arrived.map(({ text }) => text).sort()).toEqual(texts);
  expect(arrived.filter(({ count }) => count !== 1)).toEqual([]);
  expect(new Set(arrived.map(({ id }) => id)).size).toBe(accepted.length);
}

/** Each step of each message reached the receiver, signed, under one event id, and no step under two. */
export async function expectEveryStepOnce(customer: Customer, accepted: AcceptedMessage[]): Promise<void> {
  const missing = () => {
    const seen = new Set(customer.receiver.callbacks.map(({ event, data }) => `${event} ${data.messageId}`));
    return accepted.flatMap(({ messageId }) =>
      steps.filter((step) => !seen.has(`${step} ${messageId}`)).map((step) => `${step} ${messageId}`),
    );
  };
  await waitUntil('Not every event arrived', async () => (missing().length === 0 ? true : null)).catch(() =>
    expect(missing()).toEqual([]),
  );
  const eventIds = new Map<string, Set<string>>();
  for (const callback of customer.receiver.callbacks) {
    expect(isSigned(callback, customer.webhookSecret)).toBe(true);
    if (!steps.includes(callback.event)) continue;
    const step = `${callback.event} ${callback.data.messageId}`;
    eventIds.set(step, (eventIds.get(step) ?? new Set()).add(callback.id));
  }
  expect([...eventIds].filter(([, ids]) => ids.size !== 1)).toEqual([]);
  const known = new Set(accepted.map(({ messageId }) => messageId));
  expect([...eventIds.keys()].filter((step) => !known.has(step.split(' ')[1] ?? ''))).toEqual([]);
}

/** Each text that the phone wrote reached the receiver as a signed `message.received`, under one event id. */
export async function expectReceivedOnce(customer: Customer, texts: string[]): Promise<void> {
  const idsOf = (text: string) =>
    new Set(customer.receiver.callbacks.filter(({ data }) => data.text === text).map(({ id }) => id));
  const missing = () => texts.filter((text) => idsOf(text).size === 0);
  await waitUntil('Not every reply arrived', async () => (missing().length === 0 ? true : null)).catch(() =>
    expect(missing()).toEqual([]),
  );
  const doubled = texts.filter((text) => idsOf(text).size > 1);
  expect(customer.receiver.callbacks.filter(({ data }) => doubled.includes(String(data.text)))).toEqual([]);
}

/** No log file and no terminal shows a secret, a full phone number or the text of a message. */
export function expectCleanLogs(gateway: GatewayProcess, customers: Customer[], texts: string[]): void {
  const { jwtPrivateKey, webhookSealingKey, vaultKey, bridgeToken, bootstrapToken, admin } = gateway.secrets;
  const everywhere: Record<string, string> = {
    'the signing key': jwtPrivateKey.d,
    'the sealing key': webhookSealingKey,
    'the vault key': vaultKey,
    'the bridge token': bridgeToken,
    'the bootstrap token': bootstrapToken,
  };
  for (const customer of customers) {
    Object.assign(everywhere, {
      [`the password of ${customer.email}`]: customer.password,
      [`the API key of ${customer.email}`]: customer.apiKey,
      [`the webhook secret of ${customer.email}`]: customer.webhookSecret,
      [`the token of ${customer.email}`]: customer.token,
      [`the number of ${customer.email}`]: customer.phoneNumber,
      [`the recipient of ${customer.email}`]: customer.recipient,
    });
  }
  texts.forEach((text, index) => {
    everywhere[`text ${index}`] = text;
  });
  // The sign-in and the key of the local account are for the terminal, and for nothing else.
  const inFiles = {
    ...everywhere,
    'the local password': admin.password,
    'the local API key': gateway.local.apiKey,
  };
  const found: string[] = [];
  const search = (place: string, content: string, secrets: Record<string, string>) => {
    for (const [what, secret] of Object.entries(secrets)) {
      if (secret !== '' && content.includes(secret)) found.push(`${what} in ${place}`);
    }
  };
  const logs = gateway.logs();
  for (const { name, text } of logs) {
    search(name, text, inFiles);
    if (/sk_live_\w{20}|whsec_\w{10}|eyJ[\w-]{10,}\.eyJ/.test(text))
      found.push(`something like a credential in ${name}`);
  }
  search('the terminal', gateway.shownText, everywhere);
  expect(found).toEqual([]);
  // A log that says nothing would pass as well.
  expect(logs.map(({ name }) => name).sort()).toEqual([
    'bridge.log',
    'gateway.log',
    'local.log',
    'simulator.log',
  ]);
  for (const { name, text } of logs) expect(text, name).not.toBe('');
}
