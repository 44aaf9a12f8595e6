import { expect, test } from 'vitest';
import { addressOfMember } from '../../../../src/contract/contacts/audience.ts';
import { refuse } from '../../../../src/contract/errors.ts';
import { Outcomes } from '../../../../src/durable/campaign/outcomes/outcomes.ts';
import { viewOf } from '../../../../src/durable/campaign/progress.ts';
import { Batches } from '../../../../src/durable/campaign/sending/batches.ts';
import { CampaignStage } from './campaign-stage.ts';

/** A campaign whose recipients are written down, and for which no number sends yet. */
async function waiting(recipients: number): Promise<CampaignStage> {
  const stage = new CampaignStage(recipients, {}, 0);
  stage.controls.start(stage.now);
  await stage.tick();
  return stage;
}

test.each([
  ['NO_HEALTHY_SENDER', 'numbers', { pending: 3 }],
  ['SENDER_UNAVAILABLE', 'numbers', { pending: 3 }],
  ['RATE_LIMITED', 'numbers', { pending: 3 }],
  ['QUOTA_EXCEEDED', 'quota', { pending: 3 }],
  ['RECIPIENT_INVALID', null, { skipped: 3 }],
  ['RECIPIENT_IS_LID', null, { skipped: 3 }],
  ['FORBIDDEN', null, { failed: 3 }],
] as const)(
  'an account that answers %s: the campaign waits for %s, and its recipients are %j',
  async (code, obstacle, counts) => {
    const { store, run, now, ...stage } = await waiting(3);
    const sendAll = async (sends: readonly object[]) => sends.map(() => refuse(code, 'No.'));
    const batches = new Batches({
      store,
      rows: run.rows,
      ports: { sendAll, addresses: async () => ({}) },
      stop: () => {},
    });
    batches.form(run.rows.next(run.rows.zonesWaiting(), 3), now);
    expect(await batches.settle(now)).toBe(obstacle);
    const { pending, skipped, failed } = store.known.progress.tally.states;
    expect({ pending, skipped, failed }).toEqual({ pending: 0, skipped: 0, failed: 0, ...counts });
    const ended = run.rows.page({ status: 'failed' }, 3, null).recipients;
    expect(ended.map(({ failedAt, reason }) => [failedAt, reason])).toEqual(Array(failed).fill([now, code]));
    expect(stage.gateway.messages).toEqual([]);
  },
);

test.each([
  ['get it once', 'sent'],
  ['get it under the alias where the phone number was left out', 'skipped'],
] as const)('people who turn out to be a recipient under a phone number too %s', async (_, state) => {
  const stage = new CampaignStage(2);
  for (const number of stage.gateway.numbers) number.hindrance = 'It is away.';
  const [one, other] = stage.gateway.members;
  if (!one || !other) throw new Error('they are not there');
  const hidden = { ...other, phoneNumber: null, lid: '700000000000009' };
  stage.gateway.members[1] = hidden;
  if (state === 'skipped') stage.gateway.optedOut.add(addressOfMember(one));
  stage.controls.start(stage.now);
  await stage.tick();
  expect(stage.counts).toMatchObject({ recipients: 2 });
  stage.gateway.addresses[hidden.contactId] = addressOfMember(one);
  for (const number of stage.gateway.numbers) number.hindrance = null;
  await stage.tick(60_000);
  const isOnce = state === 'sent';
  expect(stage.counts).toMatchObject({ recipients: isOnce ? 1 : 2, pending: 0 });
  expect(stage.gateway.messages.map(({ to }) => to)).toEqual([addressOfMember(isOnce ? one : hidden)]);
});

test('whom the network has under other digits than those that are dialled: what becomes of their message, their answer and their word count', async () => {
  const stage = new CampaignStage(2);
  const [dialled = '', other = ''] = stage.gateway.members.map(addressOfMember);
  const address = dialled.slice(0, -1);
  stage.gateway.network.set(dialled, address);
  stage.controls.start(stage.now);
  await stage.tick(900_000);
  for (const count of ['sent', 'delivered', 'read'] as const) {
    stage.gateway.advance(() => 'go');
    await stage.tick(900_000);
    expect(stage.counts[count]).toBe(2);
  }
  const [message] = stage.gateway.sentTo(dialled);
  stage.gateway.write(address, 'STOP', message?.numberId ?? '');
  await stage.tick(900_000);
  expect(stage.counts).toMatchObject({ replied: 1, optedOut: 1 });
  const known = stage.run.rows.at(address);
  expect(known).toEqual(stage.run.rows.at(dialled));
  if (known !== null) stage.store.change((progress) => stage.run.forget(known, progress));
  expect([address, dialled].map((it) => stage.run.rows.at(it))).toEqual([null, null]);
  expect(stage.run.rows.at(other)).not.toBeNull();
});

test('whoever is in one state is listed to the last, however many others there are before', async () => {
  const stage = await waiting(0);
  stage.storage.sql.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 10000)
     INSERT INTO recipients (id, state, zone) SELECT i, iif(i = 10001, 6, 3), 0 FROM n`,
  );
  const { rows } = stage.run;
  const first = rows.page({ status: 'failed' }, 10, null);
  expect(first).toMatchObject({ recipients: [], nextAfter: expect.any(Number) });
  const second = rows.page({ status: 'failed' }, 10, first.nextAfter);
  expect(second).toMatchObject({ recipients: [{ id: 10_001 }], nextAfter: null });
});

test('several who are erased are counted each, and none of them is named', async () => {
  const stage = await waiting(3);
  const { recipients } = stage.run.rows.page({ status: null }, 10, null);
  for (const recipient of recipients.slice(1))
    stage.store.change((progress) => stage.run.forget(recipient, progress));
  expect(stage.counts).toMatchObject({ recipients: 3, pending: 1, cancelled: 2 });
  const left = stage.run.rows.page({ status: null }, 10, null).recipients;
  expect(left.map(({ contactId }) => contactId === null)).toEqual([true, true, false]);
});

test('a campaign that is paused stays so when somebody wants what failed to be sent again', async () => {
  const stage = new CampaignStage(3);
  stage.controls.start(stage.now);
  await stage.tick();
  stage.gateway.failFor('network_500', stage.gateway.messages[0]);
  await stage.tick();
  stage.controls.pause(stage.now);
  expect(stage.controls.retryFailed(stage.now)).toEqual({ ok: true });
  await stage.tick();
  expect(stage.store.known.progress.status).toBe('paused');
  expect(stage.counts.failed).toBe(0);
  expect(stage.gateway.messages).toHaveLength(3);
});

test('an answer to the number that has sent it counts, also where the message was given to another one first', async () => {
  const stage = new CampaignStage(1, {}, 2);
  stage.controls.start(stage.now);
  await stage.tick();
  const [message] = stage.gateway.messages;
  if (message === undefined) throw new Error('there is no message');
  expect(message.numberId).toBe('number-0');
  message.numberId = 'number-1';
  stage.gateway.advance(() => 'go');
  await stage.tick();
  stage.gateway.write(message.to, 'yes', 'number-1');
  await stage.tick(900_000);
  expect(stage.counts).toMatchObject({ sent: 1, replied: 1 });
});

test('a campaign that is paused while the account says that no number can send waits for nothing', async () => {
  const { store, run, controls, now } = await waiting(3);
  const sendAll = async (sends: readonly object[]) => {
    controls.pause(now);
    return sends.map(() => refuse('NO_HEALTHY_SENDER', 'No.'));
  };
  const ports = { sendAll, addresses: async () => ({}) };
  const batches = new Batches({ store, rows: run.rows, ports, stop: () => {} });
  batches.form(run.rows.next(run.rows.zonesWaiting(), 3), now);
  const hold = { reason: await batches.settle(now), until: null } as const;
  store.change((progress) => Object.assign(progress, { hold }));
  expect(viewOf(store.known.definition, store.known.progress)).toMatchObject({
    status: 'paused',
    hold: null,
  });
});

test('a campaign that sends again no longer says that no number could', async () => {
  const stage = new CampaignStage(50);
  for (const number of stage.gateway.numbers) number.hindrance = 'It is away.';
  stage.controls.start(stage.now);
  await stage.tick();
  expect(stage.store.known.progress.hold).toEqual({ reason: 'numbers', until: null });
  for (const number of stage.gateway.numbers) number.hindrance = null;
  await stage.tick();
  expect(stage.gateway.messages.length).toBeGreaterThan(0);
  expect(stage.store.known.progress.hold).toBeNull();
});

test('what failed is sent again, and beside it nothing that may have arrived', async () => {
  const stage = new CampaignStage(2);
  stage.controls.start(stage.now);
  await stage.tick();
  const [first, second] = stage.gateway.messages;
  stage.gateway.failFor('network_500', first);
  stage.gateway.failFor('unknown_outcome', second);
  await stage.tick(900_000);
  expect(stage.controls.retryFailed(stage.now)).toEqual({ ok: true });
  await stage.tick();
  expect(stage.gateway.messages.map(({ to }) => to)).toEqual([first?.to, second?.to, first?.to]);
  expect(stage.counts).toMatchObject({ queued: 1, failed: 1 });
});

test('whoever answers twice has answered when they wrote first, and opted out when they said so', async () => {
  const stage = new CampaignStage(1, {}, 1);
  stage.controls.start(stage.now);
  await stage.runToEnd();
  const [message] = stage.gateway.messages;
  const writes = async (text: string) => {
    stage.gateway.write(message?.to ?? '', text, 'number-0');
    const at = stage.now;
    await stage.tick(900_000);
    return at;
  };
  const repliedAt = await writes('yes');
  const optedOutAt = await writes('STOP');
  await writes('STOP');
  const { recipients } = stage.run.rows.page({ status: null }, 10, null);
  expect(recipients).toMatchObject([{ repliedAt, optedOutAt }]);
});

test('a campaign that is cancelled takes back, too, what comes back from a number later', async () => {
  const stage = new CampaignStage(100);
  stage.controls.start(stage.now);
  await stage.tick();
  stage.controls.cancel(stage.now);
  await stage.tick();
  expect(stage.counts.queued).toBeGreaterThan(0);
  stage.gateway.allMayBeTakenBack = true;
  for (let looks = 0; looks < 10; looks += 1) await stage.tick();
  expect(stage.counts).toMatchObject({ queued: 0, pending: 0, cancelled: 100 });
});

test('a message of which only its arrival was told has left by then', async () => {
  const stage = new CampaignStage(1, {}, 1);
  stage.controls.start(stage.now);
  await stage.tick();
  const [message] = stage.gateway.messages;
  const deliveredAt = new Date(stage.now).toISOString();
  const { messageId, numberId, to } = message ?? {};
  const delivered = {
    ...{ id: 'evt_1', cursor: '1', event: 'message.delivered', timestamp: deliveredAt },
    data: { messageId, numberId, chat: `${to}@s.whatsapp.net`, deliveredAt },
  };
  const ports = {
    events: async () => ({ ok: true, data: [delivered], nextCursor: '1', hasMore: false }),
  } as never;
  await new Outcomes({ store: stage.store, rows: stage.run.rows, ports, stop: () => {} }).read();
  const { recipients } = stage.run.rows.page({ status: null }, 1, null);
  expect(recipients).toMatchObject([{ state: 'delivered', sentAt: stage.now, deliveredAt: stage.now }]);
});

test('nobody is greeted by a name of blanks', async () => {
  const stage = new CampaignStage(1);
  Object.assign(stage.gateway.members[0] ?? {}, { name: ' ', pushName: null });
  stage.controls.start(stage.now);
  await stage.tick();
  expect(stage.gateway.messages).toMatchObject([{ content: { text: 'Hello there' } }]);
});

test('a campaign that goes on to what has failed no longer says why it ended', async () => {
  const stage = new CampaignStage(2, { whenQuotaEnds: 'end' });
  stage.gateway.quotaLeft = 1;
  stage.controls.start(stage.now);
  await stage.runToEnd();
  expect(stage.store.known.progress).toMatchObject({ status: 'finished', reason: 'quota' });
  const [message] = stage.gateway.messages;
  if (message !== undefined) message.status = 'sent';
  stage.store.change((progress) => {
    const [recipient] = stage.run.rows.page({ status: 'sent' }, 1, null).recipients;
    if (recipient === undefined) throw new Error('nobody has it');
    stage.run.rows.change(progress.tally, recipient, { state: 'failed', reason: 'network_500' });
  });
  expect(stage.controls.retryFailed(stage.now)).toEqual({ ok: true });
  expect(stage.store.known.progress).toMatchObject({ status: 'running', reason: null, endedAt: null });
});

test('a campaign that waits for its quota says when that is whole as the account has it now', async () => {
  const stage = new CampaignStage(1);
  stage.controls.start(stage.now);
  for (const quotaResetAt of [Date.UTC(2026, 3, 1), Date.UTC(2026, 3, 2)]) {
    Object.assign(stage.gateway, { quotaLeft: 0, quotaResetAt });
    await stage.tick();
    expect(stage.store.known.progress.hold).toEqual({ reason: 'quota', until: quotaResetAt });
  }
});
