import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { type AcceptedMessage, Customer } from './stage/customer.ts';
import { expectEveryStepOnce, expectOnceOnTheNetwork, expectReceivedOnce } from './stage/promises.ts';
import { type Release, UpgradeStage } from './stage/upgrade-stage.ts';

const messagesEach = 16;
const repliesEach = 4;
const steps = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];

interface EventPage {
  data: { id: string; event: string; data: { messageId?: string; text?: string } }[];
  nextCursor: string;
}

let stage: UpgradeStage;
let customer: Customer;
const accepted: AcceptedMessage[] = [];
const replies: string[] = [];

beforeAll(async () => {
  stage = await UpgradeStage.start();
  customer = await Customer.join(stage);
});

afterAll(async () => {
  await customer?.leave();
  await stage?.discard();
});

/*
 * On one machine Worker and objects are one process. Each test begins where the one before it ended, so that the parts are
 * replaced six times and not eight: to go back with the bridge first is made of steps that these have.
 */

/** Replaces a part amid messages of both directions; where messages can move afterwards, all of them have arrived. */
async function replaceAmidMessages(part: 'gateway' | 'bridge', release: Release): Promise<void> {
  const wanted = replies.length + repliesEach;
  const messages = await customer.sendMany(messagesEach, {
    accepted: messagesEach / 4,
    run: async () => {
      const receiving = customer.receiveMany(wanted, replies);
      await waitUntil('The phone could not write', async () =>
        replies.length > wanted - repliesEach ? true : null,
      );
      const replaced = part === 'gateway' ? stage.runGateway(release) : stage.runBridge(release);
      await Promise.all([receiving, replaced]);
    },
  });
  accepted.push(...messages);
  if (part === 'gateway') expect(await stage.gatewayRelease()).toBe(release.version);
  if (stage.isBridgeTooNew) return;
  if (part === 'bridge') expect(await stage.bridgeRelease()).toBe(release.version);
  await expectOnceOnTheNetwork(customer, accepted);
}

/** Everything since the account began. */
async function allEvents(): Promise<EventPage['data']> {
  const found: EventPage['data'] = [];
  let page = await customer.get<EventPage>('/v1/events?limit=1000');
  while (page.data.length > 0) {
    found.push(...page.data);
    page = await customer.get<EventPage>(`/v1/events?limit=1000&after=${page.nextCursor}`);
  }
  return found;
}

async function expectNothingLostNorTwice(): Promise<void> {
  await expectOnceOnTheNetwork(customer, accepted);
  await expectEveryStepOnce(customer, accepted);
  await expectReceivedOnce(customer, replies);
  const events = await allEvents();
  for (const { messageId } of accepted) {
    const own = events.filter(({ data }) => data.messageId === messageId);
    expect(own.map(({ event }) => event)).toEqual(steps);
  }
  const received = events.filter(({ event }) => event === 'message.received');
  expect(received.map(({ data }) => data.text).toSorted()).toEqual(replies.toSorted());
  expect(events.filter(({ event }) => /failed|logged_out/.test(event))).toEqual([]);
  await waitUntil('Not every event reached the receiver', async () => {
    const told = new Set(customer.receiver.callbacks.map(({ id }) => id));
    return events.every(({ id }) => told.has(id)) ? true : null;
  });
  // The phone is still linked, and was not paired again.
  await customer.whenState('connected');
}

describe('under load, and without a message or an event lost or doubled,', () => {
  test('a gateway is upgraded first, its bridge after it', async () => {
    expect(stage.before.version).not.toBe(stage.own.version);
    await replaceAmidMessages('gateway', stage.own);
    await replaceAmidMessages('bridge', stage.own);
    await expectNothingLostNorTwice();
  });

  test('a gateway goes back to the release before, its bridge after it', async () => {
    await replaceAmidMessages('gateway', stage.before);
    await replaceAmidMessages('bridge', stage.before);
    await expectNothingLostNorTwice();
  });

  test('a bridge is upgraded first, its gateway after it', async () => {
    await replaceAmidMessages('bridge', stage.own);
    await replaceAmidMessages('gateway', stage.own);
    await expectNothingLostNorTwice();
  });
});
