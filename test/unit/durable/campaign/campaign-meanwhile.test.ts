import { describe, expect, test } from 'vitest';
import { addressOfMember } from '../../../../src/contract/contacts/audience.ts';
import { settleCampaign } from '../../../../src/durable/backup/settling.ts';
import { Mirror } from '../../../../src/durable/campaign/mirror.ts';
import { previewOf } from '../../../../src/durable/campaign/preview.ts';
import { viewOf } from '../../../../src/durable/campaign/progress.ts';
import { CampaignStage, textOf } from './campaign-stage.ts';

const waits = () => 'stay' as const;

/** A campaign that runs, and whose first messages are with the account. */
async function running(...of: ConstructorParameters<typeof CampaignStage>): Promise<CampaignStage> {
  const stage = new CampaignStage(...of);
  stage.controls.start(stage.now);
  await stage.tick();
  return stage;
}

test('a campaign that is cancelled while its audience is read writes nobody down', async () => {
  const stage = new CampaignStage(20);
  stage.gateway.meanwhile.set('audience', () => stage.controls.cancel(stage.now));
  stage.controls.start(stage.now);
  for (let looks = 0; looks < 3; looks += 1) await stage.tick();
  expect(stage.store.known.progress.status).toBe('cancelled');
  expect(stage.counts.recipients).toBe(0);
  expect(stage.gateway.messages).toEqual([]);
});

test('a campaign that is paused while it asks what the numbers have room for sends nothing', async () => {
  const stage = new CampaignStage(20);
  stage.gateway.meanwhile.set('outlook', () => stage.controls.pause(stage.now));
  stage.controls.start(stage.now);
  for (let looks = 0; looks < 3; looks += 1) await stage.tick();
  expect(stage.store.known.progress.status).toBe('paused');
  expect(stage.gateway.messages).toEqual([]);
});

test('a campaign that goes on while its messages are taken back takes no more back', async () => {
  const stage = await running(400, {}, 50);
  for (let looks = 0; looks < 10 && stage.counts.queued < 200; looks += 1) await stage.tick();
  expect(stage.counts.queued).toBeGreaterThanOrEqual(200);
  stage.controls.pause(stage.now);
  stage.gateway.meanwhile.set('withdraw', () => stage.controls.resume(stage.now));
  for (let looks = 0; looks < 3; looks += 1) await stage.tick();
  expect(stage.gateway.withdrawn).toEqual([100]);
  expect(stage.store.known.progress).toMatchObject({ status: 'running', mustWithdraw: false });
});

test('a campaign pauses itself when the last of its numbers is gone, and tells of it; while one is left, it waits', async () => {
  const stage = new CampaignStage(10, {}, 1);
  stage.gateway.numbers = stage.gateway.numbers.map((number) => ({
    ...number,
    hindrance: 'The number is logged_out.',
  }));
  stage.gateway.quotaLeft = 0;
  stage.controls.start(stage.now);
  await stage.tick();
  expect(stage.store.known.progress).toMatchObject({ status: 'running', hold: { reason: 'quota' } });
  stage.gateway.numbers = [];
  await stage.tick();
  const gone = { status: 'paused', reason: 'numbers_gone', hold: null };
  expect(stage.store.known.progress).toMatchObject(gone);
  expect(stage.told.at(-1)).toMatchObject({ change: 'paused', reason: 'numbers_gone' });
  expect(stage.gateway.messages).toEqual([]);
});

test('the account is asked for no more than the quota has left', async () => {
  const stage = new CampaignStage(50);
  Object.assign(stage.gateway, { quotaLeft: 5, quotaResetAt: Date.UTC(2026, 3, 1) });
  stage.controls.start(stage.now);
  await stage.tick();
  expect(stage.gateway.asked).toEqual([5]);
});

test('a failure that says nothing about the campaign does not stop it, and any other does', async () => {
  const stage = await running(50, { stopAfterFailures: 1 });
  const [first, second, third] = stage.gateway.messages;
  stage.gateway.failFor('number_deleted', first);
  stage.gateway.failFor('recipient_opted_out', second);
  await stage.tick();
  expect(stage.counts.failed).toBe(2);
  expect(stage.store.known.progress.status).toBe('running');
  stage.gateway.failFor('network_500', third);
  await stage.tick();
  expect(stage.store.known.progress).toMatchObject({ status: 'paused', reason: 'failures' });
});

test('what is said in a group is no answer, and what stands under a picture opts nobody out', async () => {
  const stage = new CampaignStage(2, {}, 1);
  stage.controls.start(stage.now);
  await stage.runToEnd();
  const [first = '', second = ''] = stage.gateway.members.map(addressOfMember);
  stage.gateway.write(first, 'Stop', 'number-0', { chatType: 'group', isGroup: true });
  stage.gateway.write(second, 'Stop', 'number-0', { messageType: 'image' });
  await stage.tick(900_000);
  expect(stage.counts).toMatchObject({ replied: 1, optedOut: 0 });
  stage.gateway.write(second, 'Stop', 'number-0');
  await stage.tick(900_000);
  expect(stage.counts).toMatchObject({ replied: 1, optedOut: 1 });
});

test('whoever gets another message has not been sent it, and nothing is told of the one that failed', async () => {
  const stage = await running(1);
  stage.gateway.advance(() => 'go');
  await stage.tick();
  stage.gateway.failFor('network_500', stage.gateway.messages[0]);
  await stage.tick(900_000);
  stage.gateway.numbers = [];
  stage.controls.retryFailed(stage.now);
  await stage.tick();
  expect(stage.run.rows.page({ status: null }, 10, null).recipients).toMatchObject([
    {
      ...{ state: 'pending', attempt: 2, reason: null, errorMessage: null },
      ...{ messageId: null, numberId: null, sentAt: null, failedAt: null },
    },
  ]);
});

test('a text under a picture may be as long as the network carries there', async () => {
  const picture = (caption: string) => ({
    body: '{}',
    content: {
      type: 'image' as const,
      media: { mediaId: 'media', mimetype: 'image/png', bytes: 1, caption },
    },
  });
  const stage = await running(2, { texts: [picture('x'.repeat(1_025)) as never] });
  expect(stage.counts).toMatchObject({ recipients: 2, skipped: 2 });
  const { recipients } = stage.run.rows.page({ status: 'skipped' }, 10, null);
  expect(recipients.map(({ reason }) => reason)).toEqual(['too_long', 'too_long']);
  expect((await running(2, { texts: [picture('x'.repeat(1_024)) as never] })).counts.skipped).toBe(0);
});

test('whoever has written to the account is not cold, though their contact does not say so', async () => {
  const stage = new CampaignStage(8, { coldContacts: false });
  stage.gateway.hasWritten.add(addressOfMember(stage.gateway.members[0] ?? { phoneNumber: null, lid: null }));
  stage.controls.start(stage.now);
  await stage.tick();
  const { recipients } = stage.run.rows.page({ status: 'skipped' }, 10, null);
  expect(recipients.map(({ contactId }) => contactId)).toEqual(['contact-7']);
});

test('the time for answers begins when the last of those who decide has it, and no look makes it longer', async () => {
  const winner = { testPercent: 25, afterMinutes: 30 };
  const stage = await running(40, { texts: [textOf('A'), textOf('B')], winner }, 20);
  await stage.tickUntil(() => stage.store.known.progress.tally.states.pending === 0);
  await stage.tick();
  stage.gateway.advance(waits);
  await stage.tick(3_600_000);
  expect(stage.store.known.progress.testedAt).toBeNull();
  stage.gateway.advance(() => 'go');
  await stage.tickUntil(() => stage.store.known.progress.testedAt !== null);
  const hold = { reason: 'winner', until: stage.now + 30 * 60_000 };
  expect(stage.store.known.progress.hold).toEqual(hold);
  for (let look = 0; look < 2; look += 1) await stage.tick(60_000);
  expect(stage.store.known.progress.hold).toEqual(hold);
});

test('the list of campaigns hears of counts once a minute, of a new state at once, and again where it could not be told', async () => {
  const stage = await running(50);
  let isAway = false;
  const run = async () => {
    if (isAway) throw new Error('the database is away');
    return { success: true, meta: {}, results: [] };
  };
  const statement = { bind: () => statement, run, all: run, raw: async () => run().then(() => []) };
  const database = { prepare: () => statement } as unknown as D1Database;
  const mirror = new Mirror(stage.store, () => database);
  const { now } = stage;
  expect(mirror.dueAt()).toBe(0);
  await mirror.write(now);
  expect(mirror.dueAt()).toBeNull();
  stage.gateway.advance(() => 'go');
  await stage.tick();
  expect(mirror.dueAt()).toBe(now + 60_000);
  stage.controls.pause(stage.now);
  expect(mirror.dueAt()).toBe(0);
  isAway = true;
  await expect(mirror.write(now + 1_000)).rejects.toThrow();
  expect(mirror.dueAt()).toBe(now + 11_000);
  isAway = false;
  await mirror.write(now + 11_000);
  expect(mirror.dueAt()).toBeNull();
});

test('the list of campaigns gets the name, the status and the counts that a campaign has now', async () => {
  const stage = await running(3);
  const bound: unknown[][] = [];
  const run = async () => ({ success: true, meta: {}, results: [] });
  const statement = { run, all: run, raw: async () => [] };
  const bind = (...values: unknown[]) => {
    bound.push(values);
    return statement;
  };
  const database = { prepare: () => ({ ...statement, bind }) } as unknown as D1Database;
  stage.store.define({ ...stage.store.known.definition, name: 'Summer' });
  await new Mirror(stage.store, () => database).write(stage.now);
  expect(bound).toEqual([['Summer', 'running', JSON.stringify(stage.counts), 'campaign']]);
});

test('a planned campaign begins at its time, or as soon as somebody starts it once more, and ends when it is cancelled', () => {
  const planned = new CampaignStage(3, { startAt: Date.UTC(2026, 2, 3) });
  planned.controls.start(planned.now);
  expect(planned.run.dueAt(planned.now)).toBe(Date.UTC(2026, 2, 3));
  planned.controls.start(planned.now);
  expect(planned.store.known.progress).toMatchObject({ status: 'running', startedAt: planned.now });
  planned.controls.cancel(planned.now);
  expect(planned.store.known.progress).toMatchObject({ status: 'cancelled', endedAt: planned.now });
});

test('a planned campaign that has begun by itself says since when', async () => {
  const startAt = Date.UTC(2026, 2, 3);
  const planned = new CampaignStage(3, { startAt });
  planned.controls.start(planned.now);
  await planned.tick(startAt - planned.now);
  expect(planned.store.known.progress).toMatchObject({ status: 'running', startedAt: startAt });
});

test('what was only planned takes nothing back when it is paused, and failures count anew once a campaign goes on', async () => {
  const planned = new CampaignStage(3, { startAt: Date.UTC(2026, 2, 3) });
  planned.controls.start(planned.now);
  planned.controls.pause(planned.now);
  expect(planned.store.known.progress).toMatchObject({ status: 'draft', reason: null, mustWithdraw: false });
  const stage = await running(20, { stopAfterFailures: 2 });
  const [first, second] = stage.gateway.messages;
  stage.gateway.failFor('network_500', first);
  await stage.tick();
  stage.controls.pause(stage.now);
  stage.controls.resume(stage.now);
  stage.gateway.failFor('network_500', second);
  await stage.tick();
  expect(stage.counts.failed).toBe(2);
  expect(stage.store.known.progress.status).toBe('running');
  const again = await running(20, { stopAfterFailures: 2 });
  again.gateway.failFor('network_500', again.gateway.messages[0]);
  await again.tick();
  again.controls.retryFailed(again.now);
  again.gateway.failFor('network_500', again.gateway.messages[1]);
  await again.tick();
  expect(again.store.known.progress.status).toBe('running');
  // Whether it arrives is watched anew each time, too.
  await stage.tick(60_000);
  stage.controls.pause(stage.now);
  stage.controls.resume(stage.now);
  expect(stage.store.known.progress.resumedAt).toBe(stage.now);
});

const recipientsOf = (stage: CampaignStage) => stage.run.rows.page({ status: null }, 10, null).recipients;

test('whoever is erased while their message is under way gets no other one, and has had this one', async () => {
  const stage = await running(1);
  const [recipient] = recipientsOf(stage);
  if (recipient === undefined) throw new Error('there is nobody');
  expect(recipient).toMatchObject({ state: 'queued', attempt: 1 });
  stage.store.change((progress) => stage.run.forget(recipient, progress));
  expect(recipientsOf(stage)).toMatchObject([{ state: 'cancelled', attempt: 2, messageId: null }]);
  expect(stage.counts).toMatchObject({ queued: 0, cancelled: 1 });
});

test('what becomes late of an earlier message says nothing about the one that somebody has now', async () => {
  const stage = await running(1);
  stage.gateway.failFor('network_500', stage.gateway.messages[0]);
  await stage.tick();
  stage.controls.retryFailed(stage.now);
  await stage.tickUntil(() => stage.gateway.messages.length === 2);
  const [first] = stage.gateway.messages;
  if (first === undefined) throw new Error('there is no message');
  first.status = 'sent';
  stage.gateway.advance((message) => (message === first ? 'go' : 'stay'));
  await stage.tick();
  expect(stage.counts).toMatchObject({ queued: 1, delivered: 0 });

  // The same where they are asked about by name, and have another one by the time of the answer.
  const [recipient] = recipientsOf(stage);
  if (recipient === undefined) throw new Error('there is nobody');
  stage.gateway.advance(() => 'go');
  stage.gateway.forget();
  stage.gateway.meanwhile.set('messages', () => stage.run.rows.save({ ...recipient, messageId: 'another' }));
  await stage.tick();
  expect(stage.counts).toMatchObject({ queued: 1, sent: 0 });
});

test('whoever is erased leaves nothing that says what became of their message but its state', async () => {
  const stage = await running(1);
  stage.gateway.failFor('network_500', stage.gateway.messages[0]);
  await stage.tick();
  const [recipient] = recipientsOf(stage);
  if (recipient === undefined) throw new Error('there is nobody');
  expect(recipient.errorMessage).toBe('It failed.');
  stage.store.change((progress) => stage.run.forget(recipient, progress));
  expect(recipientsOf(stage)).toMatchObject([{ state: 'failed', contactId: null, errorMessage: null }]);
});

test('where what has failed is sent again, whoever was erased since gets nothing', async () => {
  const stage = await running(2);
  for (const message of [...stage.gateway.messages]) stage.gateway.failFor('network_500', message);
  await stage.tick();
  const forget = () => {
    const recipient = recipientsOf(stage).find(({ id, state }) => id > 0 && state === 'failed');
    if (recipient === undefined) throw new Error('there is nobody');
    stage.store.change((progress) => stage.run.forget(recipient, progress));
  };
  forget();
  stage.controls.retryFailed(stage.now);
  await stage.tickUntil(() => stage.gateway.messages.length === 3);
  stage.gateway.failFor('network_500', stage.gateway.messages[2]);
  await stage.tick();
  expect(stage.gateway.messages).toHaveLength(3);
  expect(stage.counts).toMatchObject({ failed: 2, pending: 0, queued: 0 });
  forget();
  expect(stage.controls.retryFailed(stage.now)).toMatchObject({ ok: false, code: 'CONFLICT' });
});

test('whom a campaign was writing to when it was copied gets no second message where it is restored', async () => {
  const stage = new CampaignStage(2);
  stage.gateway.losesAnswers = true;
  stage.controls.start(stage.now);
  await stage.tickUntil(() => stage.gateway.asked.length > 0);
  const { asked } = stage.gateway;
  const before = [...asked];
  settleCampaign(stage.storage, { now: stage.now, goesOn: false });
  stage.begin();
  stage.gateway.losesAnswers = false;
  await stage.tick();
  expect(asked).toEqual(before);
  expect(recipientsOf(stage).map(({ reason }) => reason)).toEqual(Array(2).fill('unknown_outcome'));
});

test('who has read it is known also where the events of that are gone', async () => {
  const stage = await running(1);
  for (let steps = 0; steps < 2; steps += 1) {
    stage.gateway.advance(() => 'go');
    await stage.tick(900_000);
  }
  expect(stage.counts).toMatchObject({ delivered: 1, read: 0 });
  stage.gateway.advance(() => 'go');
  stage.gateway.forget();
  await stage.tick(900_000);
  expect(stage.counts.read).toBe(1);
});

test('the log is told of each change of a campaign once, in order, why it came, and how many had it by then', async () => {
  const stage = await running(2);
  stage.controls.pause(stage.now);
  stage.controls.resume(stage.now);
  stage.gateway.advance(({ messageId }) => (messageId === 'msg_0' ? 'go' : 'stay'));
  await stage.tick();
  stage.controls.cancel(stage.now);
  await stage.tick();
  expect(
    stage.told.map(({ change, revision, reason, counts }) => [change, revision, reason, counts.sent]),
  ).toEqual([
    ['started', 1, null, 0],
    ['paused', 2, 'by_person', 0],
    ['started', 3, null, 0],
    ['finished', 4, 'cancelled', 1],
  ]);
});

test('a campaign that gets another text before it begins counts for each of them', async () => {
  const stage = new CampaignStage(20);
  const { definition } = stage.store.known;
  stage.controls.edit({ ...definition, texts: [textOf('A'), textOf('B')] });
  stage.controls.start(stage.now);
  const { store } = stage;
  expect(viewOf(store.known.definition, store.known.progress).hold).toEqual({
    reason: 'audience',
    until: null,
  });
  await stage.runToEnd();
  const { hold, variants } = viewOf(store.known.definition, store.known.progress);
  expect(hold).toBeNull();
  expect(variants.map(({ sent }) => sent > 0)).toEqual([true, true]);
});

test('answers are looked for every few seconds at first, each minute after ten, and four times an hour after a day', async () => {
  const stage = new CampaignStage(2, {}, 1);
  stage.controls.start(stage.now);
  await stage.runToEnd();
  const waits: number[] = [];
  for (const ms of [60_000, 600_000, 86_400_000]) {
    await stage.tick(ms);
    waits.push((stage.run.dueAt(stage.now) ?? 0) - stage.now);
  }
  expect(waits).toEqual([3_000, 60_000, 900_000]);
});

test('a campaign that has sent what it may in an hour says so, and until when it waits', async () => {
  const stage = await running(10, { ratePerHour: 60 });
  await stage.tick();
  const { hold, rateNextAt } = stage.store.known.progress;
  expect(rateNextAt).toBeGreaterThan(stage.now);
  expect(hold).toEqual({ reason: 'rate', until: rateNextAt });
});

test('what stands under a picture says the name of whoever gets it, as they call themselves where nobody else has', async () => {
  const content = {
    type: 'image' as const,
    media: {
      mediaId: 'media',
      mimetype: 'image/png',
      bytes: 1,
      caption: 'For {{name}} of {{attributes.city}}',
    },
  };
  const stage = new CampaignStage(2, { texts: [{ body: '{}', content } as never] });
  const [first, second] = stage.gateway.members;
  Object.assign(first ?? {}, { name: null, pushName: 'Ada', attributes: { city: 'Bonn' } });
  Object.assign(second ?? {}, { attributes: { city: ' ' } });
  stage.controls.start(stage.now);
  await stage.tick();
  expect(stage.gateway.messages).toMatchObject([{ content: { media: { caption: 'For Ada of Bonn' } } }]);
  expect(recipientsOf(stage)).toMatchObject([{}, { state: 'skipped', reason: 'missing_variable' }]);
});

test('nobody gets a text in which nothing is left to say', async () => {
  const stage = await running(4, { texts: [textOf(' {{name|}} ')] });
  expect(recipientsOf(stage).map(({ state, reason }) => reason ?? state)).toEqual([
    'missing_variable',
    'queued',
    'queued',
    'missing_variable',
  ]);
});

test('whoever is held back until it is known which text is better is listed as one who waits', async () => {
  const winner = { testPercent: 25, afterMinutes: 30 };
  const stage = await running(40, { texts: [textOf('A'), textOf('B')], winner });
  const waiting = stage.run.rows.page({ status: 'pending' }, 100, null).recipients;
  expect(waiting.filter(({ state }) => state === 'held').length).toBeGreaterThan(0);
  expect(waiting).toHaveLength(stage.counts.pending);
});

test('whoever is erased while they are held back gets no text, whichever is better', async () => {
  const winner = { testPercent: 25, afterMinutes: 30 };
  const stage = await running(40, { texts: [textOf('A'), textOf('B')], winner });
  const of = (status: 'pending' | 'cancelled') => stage.run.rows.page({ status }, 100, null).recipients;
  const held = of('pending').find(({ state }) => state === 'held');
  if (held === undefined) throw new Error('nobody is held back');
  stage.store.change((progress) => stage.run.forget(held, progress));
  expect(of('cancelled')).toMatchObject([{ state: 'cancelled', contactId: null }]);
});

describe('A preview', () => {
  const texts = [textOf('A {{name|you}}'), textOf('B')];
  const preview = ({ store, gateway, now }: CampaignStage) =>
    previewOf(store.known.definition, gateway.ports, now);

  test('tells how many get it, who does not and why, and what would stop it', async () => {
    const many = new CampaignStage(84, { texts, coldContacts: false }, 1);
    expect((await preview(many)).left).toHaveLength(10);
    const stage = new CampaignStage(70, { texts, coldContacts: false }, 1);
    Object.assign(stage.gateway, { quotaLeft: 59, quotaResetAt: Date.UTC(2026, 3, 1) });
    Object.assign(stage.gateway.numbers[0] ?? {}, { leftToday: 59 });
    const shown = await preview(stage);
    expect(shown).toMatchObject({
      ...{ recipients: 70, willGet: 60, skipped: { never_wrote: 10 }, cold: 0, isPartial: false },
      ...{ quota: { left: 59, resetAt: Date.UTC(2026, 3, 1) }, startsAt: stage.now },
      warnings: ['quota_short', 'daily_limits'],
    });
    expect(shown.left).toHaveLength(10);
    expect(shown.examples.map(({ variant, text }) => [variant, text])).toEqual([
      [0, 'A Person 1'],
      [1, 'B'],
      [0, 'A you'],
    ]);
    Object.assign(stage.gateway, { quotaLeft: 60 });
    Object.assign(stage.gateway.numbers[0] ?? {}, { leftToday: 60 });
    expect((await preview(stage)).warnings).toEqual([]);
  });

  test('warns of strangers, of nobody, and where no number sends or it never ends', async () => {
    const cold = new CampaignStage(70, { texts, startAt: Date.UTC(2026, 2, 3) });
    expect(await preview(cold)).toMatchObject({
      ...{ willGet: 70, cold: 10, startsAt: Date.UTC(2026, 2, 3), warnings: ['cold_contacts'] },
    });
    // Whoever has written to the account is no stranger, whatever their contact says.
    cold.gateway.hasWritten.add(addressOfMember(cold.gateway.members[0] ?? { phoneNumber: null, lid: null }));
    expect((await preview(cold)).cold).toBe(9);
    for (const number of cold.gateway.numbers) number.hindrance = 'It is banned.';
    expect(await preview(cold)).toMatchObject({ finishesAt: null, warnings: ['cold_contacts', 'no_number'] });
    expect(await preview(new CampaignStage(0))).toMatchObject({ finishesAt: null, warnings: ['nobody'] });
    const slow = new CampaignStage(7, { ratePerHour: 1, texts });
    for (const number of slow.gateway.numbers) number.leftToday = 0;
    expect((await preview(slow)).warnings).toEqual(['cold_contacts', 'never_ends', 'daily_limits']);
    // What a number may send today that cannot send is no room.
    for (const number of slow.gateway.numbers) number.leftToday = 6;
    Object.assign(slow.gateway.numbers[0] ?? {}, { hindrance: 'It is banned.', leftToday: null });
    expect((await preview(slow)).warnings).toEqual(['cold_contacts', 'daily_limits']);
  });
});
