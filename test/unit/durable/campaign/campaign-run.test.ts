import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AudienceMember, addressOfMember } from '../../../../src/contract/contacts/audience.ts';
import { CampaignStage, textOf } from './campaign-stage.ts';

const stranger = { phoneNumber: '628999999999', lid: null };

const act = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('tick' as const), ms: fc.nat(20_000) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('advance' as const), seed: fc.nat(1_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      when: fc.constantFrom('before' as const, 'behind' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('start', 'cancel', 'retry', 'forget') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      who: fc.nat(60),
      text: fc.constantFrom('hi', 'Stop!'),
    }),
  },
);
type Act = {
  kind: string;
  ms?: number;
  seed?: number;
  when?: 'before' | 'behind';
  who?: number;
  text?: string;
};

async function perform(stage: CampaignStage, one: Act): Promise<void> {
  const { gateway, controls } = stage;
  switch (one.kind) {
    case 'tick':
      return stage.tick(one.ms);
    case 'advance':
      gateway.advance(({ to }) => {
        const luck = (Number(to) * 31 + (one.seed ?? 0)) % 10;
        return luck < 6 ? 'go' : luck < 7 ? 'fail' : 'stay';
      });
      return;
    case 'cut':
      gateway.cut = one.when ?? null;
      return;
    case 'crash':
      return stage.begin();
    case 'pause':
      controls.pause(stage.now);
      return;
    case 'resume':
      controls.resume(stage.now);
      return;
    case 'start':
      controls.start(stage.now);
      return;
    case 'cancel':
      controls.cancel(stage.now);
      return;
    case 'retry':
      controls.retryFailed(stage.now);
      return;
    case 'forget':
      // Everything from before now is no longer to be had.
      gateway.forget();
      return;
    default:
      gateway.write(addressOfMember(gateway.members[one.who ?? 0] ?? stranger), one.text ?? '', 'number-0');
  }
}

/** Whoever has a message on its way, or got one, has exactly one. */
function expectNobodyTwice(stage: CampaignStage): void {
  for (const member of stage.gateway.members) {
    expect(stage.gateway.sentTo(addressOfMember(member)).length).toBeLessThanOrEqual(1);
  }
}

describe('Whatever is done to a campaign, in whatever order', () => {
  test('nobody gets it twice, and the counts add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 60 }), fc.boolean(), async (acts, hasVariants) => {
        const more = hasVariants
          ? { texts: [textOf('A {{name|you}}'), textOf('B')], winner: { testPercent: 40, afterMinutes: 1 } }
          : {};
        const stage = new CampaignStage(60, more);
        stage.controls.start(stage.now);
        for (const one of acts as Act[]) {
          await perform(stage, one);
          expectNobodyTwice(stage);
          expect(stage.store.known.progress.tally).toEqual(stage.recounted);
          const { recipients, pending, queued, sent, failed, skipped, cancelled } = stage.counts;
          expect(pending + queued + sent + failed + skipped + cancelled).toBe(recipients);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('it ends once it may go on, and everybody has it or is named with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
        const stage = new CampaignStage(60);
        stage.controls.start(stage.now);
        for (const one of acts as Act[]) await perform(stage, one);
        stage.gateway.cut = null;
        // What had failed before may stop it once more.
        for (let resumed = 0; resumed < 10; resumed += 1) {
          stage.controls.resume(stage.now);
          if (stage.store.known.progress.status === 'running') await stage.runToEnd();
        }
        await stage.tick();
        stage.gateway.advance(() => 'go');
        await stage.tick(10_000);
        expectNobodyTwice(stage);
        expect(['finished', 'cancelled']).toContain(stage.store.known.progress.status);
        const { recipients, pending, queued, sent, failed, skipped, cancelled } = stage.counts;
        expect(pending + queued).toBe(0);
        expect(sent + failed + skipped + cancelled).toBe(recipients);
      }),
      { numRuns: 25 },
    );
  });
});

describe('A campaign', () => {
  test('writes to each contact once, says their names, and then is finished', async () => {
    const stage = new CampaignStage(1_200);
    stage.controls.start(stage.now);
    await stage.runToEnd();
    expect(stage.counts).toMatchObject({ recipients: 1_200, sent: 1_200, failed: 0, skipped: 0 });
    const texts = stage.gateway.messages.map(({ content }) => (content.type === 'text' ? content.text : ''));
    expect(texts).toContain('Hello Person 1');
    expect(texts).toContain('Hello there');
  });

  test('pauses itself when its audience is gone before everybody is written down, and sends to none of them', async () => {
    const stage = new CampaignStage(1_200);
    stage.gateway.readableMembers = 500;
    stage.controls.start(stage.now);
    await stage.tick();
    const gone = { status: 'paused', reason: 'audience_gone', isFrozen: false };
    expect(stage.store.known.progress).toMatchObject(gone);
    stage.controls.resume(stage.now);
    await stage.tick();
    expect(stage.store.known.progress).toMatchObject(gone);
    expect(stage.counts).toMatchObject({ recipients: 500, pending: 500 });
    expect(stage.gateway.messages).toEqual([]);
  });

  test('leaves out who has never written, unless its owner wants them', async () => {
    const stage = new CampaignStage(70, { coldContacts: false });
    stage.controls.start(stage.now);
    await stage.runToEnd();
    expect(stage.counts).toMatchObject({ recipients: 70, sent: 60, skipped: 10 });
    const { recipients } = stage.run.rows.page({ status: 'skipped' }, 100, null);
    expect(new Set(recipients.map(({ reason }) => reason))).toEqual(new Set(['never_wrote']));
  });

  test('skips with the reason whoever opted out, is not on the network, or has nothing for the text', async () => {
    const stage = new CampaignStage(12, { texts: [textOf('Hello {{name}}')] });
    stage.gateway.optedOut.add('628100000001');
    stage.gateway.missing.add('628100000002');
    stage.gateway.own.add('628100000004');
    stage.controls.start(stage.now);
    await stage.runToEnd();
    const reasons = stage.run.rows
      .page({ status: 'skipped' }, 100, null)
      .recipients.map(({ contactId, reason }) => [Number(contactId?.slice('contact-'.length)), reason]);
    expect(reasons).toEqual([
      [0, 'missing_variable'],
      [1, 'opted_out'],
      [2, 'not_on_network'],
      [3, 'missing_variable'],
      [4, 'not_a_recipient'],
      [6, 'missing_variable'],
      [9, 'missing_variable'],
    ]);
  });

  test('stops by itself at the first 463, and takes back what has not left', async () => {
    const stage = new CampaignStage(500);
    stage.controls.start(stage.now);
    await stage.tick();
    stage.gateway.advance(({ messageId }) => (messageId === 'msg_0' ? '463' : 'stay'));
    await stage.tick();
    expect(stage.store.known.progress).toMatchObject({ status: 'paused', reason: 'network_restricted' });
    await stage.tick();
    const sent = stage.gateway.messages.length;
    await stage.tick(60_000);
    expect(stage.gateway.messages).toHaveLength(sent);
    // Those that the account still had wait again; the others are with their numbers, and counted as such.
    expect(stage.counts.queued).toBe(
      stage.gateway.messages.filter(({ status }) => status === 'queued').length,
    );
  });

  test('stops by itself when failures rise, and when many opt out', async () => {
    const failing = new CampaignStage(500);
    failing.controls.start(failing.now);
    for (let look = 0; look < 10; look += 1) {
      await failing.tick();
      failing.gateway.advance(({ to }) => (Number(to) % 2 === 0 ? 'fail' : 'go'));
    }
    expect(failing.store.known.progress).toMatchObject({ status: 'paused', reason: 'failure_rate' });

    const unwanted = new CampaignStage(1_000);
    unwanted.controls.start(unwanted.now);
    for (let look = 0; look < 3; look += 1) {
      await unwanted.tick();
      unwanted.gateway.advance(() => 'go');
    }
    await unwanted.tick();
    for (const { to, numberId } of unwanted.gateway.messages.slice(0, 10)) {
      unwanted.gateway.write(to, 'Stop.', numberId);
    }
    await unwanted.tick();
    expect(unwanted.store.known.progress).toMatchObject({ status: 'paused', reason: 'opt_outs' });
    expect(unwanted.counts).toMatchObject({ replied: 10, optedOut: 10 });
  });

  test('goes on where few opt out of many who got it', async () => {
    const stage = new CampaignStage(1_000);
    stage.controls.start(stage.now);
    await stage.tickUntil(() => {
      stage.gateway.advance(() => 'go');
      return stage.counts.sent >= 200;
    });
    for (const { to, numberId } of stage.gateway.messages.slice(0, 6)) {
      stage.gateway.write(to, 'Stop.', numberId);
    }
    await stage.tick();
    expect(stage.store.known.progress).toMatchObject({ status: 'running', reason: null });
    expect(stage.counts).toMatchObject({ optedOut: 6 });
  });

  test('counts as an answer what comes in time, to the number that has written, and once', async () => {
    const stage = new CampaignStage(3, { replyDays: 2 }, 1);
    stage.controls.start(stage.now);
    await stage.runToEnd();
    const dayMs = 86_400_000;
    const endedAt = stage.store.known.progress.endedAt ?? 0;
    expect(endedAt).toBe(stage.now);
    expect(stage.run.dueAt(endedAt + 2 * dayMs - 1)).not.toBeNull();
    expect(stage.run.dueAt(endedAt + 2 * dayMs)).toBeNull();
    const [first, second, third] = stage.gateway.members.map(addressOfMember);
    const write = async (from: string | undefined, numberId: string, afterMs: number) => {
      stage.now += afterMs;
      stage.gateway.write(from ?? '', 'yes', numberId);
      await stage.tick(900_000);
      return stage.counts.replied;
    };
    expect(await write(first, 'number-0', 1_000)).toBe(1);
    expect(await write(first, 'number-0', 1_000)).toBe(1);
    expect(await write(second, 'number-of-others', 1_000)).toBe(1);
    expect(await write('628999999999', 'number-0', 1_000)).toBe(1);
    expect(await write(second, 'number-0', dayMs)).toBe(2);
    expect(await write(third, 'number-0', dayMs)).toBe(2);
  });

  test('reaches who is known by an alias alone, once, and hears what they answer', async () => {
    const stage = new CampaignStage(10, { texts: [textOf('Hello')] }, 1);
    const person = { ...stage.gateway.members[9], phoneNumber: null, lid: '700000000000009' };
    const address = addressOfMember(person);
    stage.controls.start(stage.now);
    await stage.runToEnd();
    expect(stage.gateway.sentTo(address)).toMatchObject([{ to: address, contactId: 'contact-9' }]);
    stage.gateway.advance(() => 'go');
    stage.gateway.advance(() => 'go');
    await stage.tick(900_000);
    expect(stage.counts).toMatchObject({ recipients: 10, sent: 10, read: 10 });
    stage.gateway.write(address, 'yes', 'number-0');
    await stage.tick(900_000);
    expect(stage.counts.replied).toBe(1);
    const { recipients } = stage.run.rows.page({ status: 'replied' }, 10, null);
    expect(recipients).toMatchObject([{ contactId: 'contact-9', state: 'read' }]);
  });

  test('has nobody twice who is written down under an alias before it is known whose that is', async () => {
    const stage = new CampaignStage(10);
    const both = { phoneNumber: '628199999999', lid: '700000000000009' };
    stage.gateway.members.push({ ...(stage.gateway.members[9] as AudienceMember), ...both });
    stage.controls.start(stage.now);
    await stage.runToEnd();
    expect(stage.counts.recipients).toBe(10);
    expect(stage.gateway.sentTo(both.phoneNumber)).toEqual([]);
  });

  test('leaves out who is known by an alias where a text needs a phone number', async () => {
    const stage = new CampaignStage(10, { texts: [textOf('Is {{phone}} yours?')] });
    stage.controls.start(stage.now);
    await stage.runToEnd();
    const { recipients } = stage.run.rows.page({ status: 'skipped' }, 10, null);
    expect(recipients).toMatchObject([{ contactId: 'contact-9', reason: 'missing_variable' }]);
  });

  test('stops by itself when what it sends does not arrive, and counts anew once it goes on', async () => {
    const stage = new CampaignStage(400, { ratePerHour: 600 });
    stage.controls.start(stage.now);
    const look = async (arrives: (to: string) => boolean) => {
      await stage.tick(20_000);
      stage.gateway.advance(({ status, to }) =>
        status === 'queued' || (status === 'sent' && arrives(to)) ? 'go' : 'stay',
      );
    };
    const isPaused = () => stage.store.known.progress.status === 'paused';
    for (let looks = 0; looks < 120 && !isPaused(); looks += 1) await look((to) => Number(to) % 4 === 0);
    expect(stage.store.known.progress).toMatchObject({ status: 'paused', reason: 'undelivered' });
    const { sent } = stage.counts;
    // Ten minutes' worth had no time to arrive, and fifty are needed to judge.
    expect(sent).toBeGreaterThan(140);
    expect(sent).toBeLessThan(200);
    stage.controls.resume(stage.now);
    for (let looks = 0; looks < 200 && !isPaused(); looks += 1) await look((to) => Number(to) % 4 !== 0);
    expect(stage.counts.sent).toBe(400);
    expect(isPaused()).toBe(false);
  });

  test('waits for the new month when the quota is used up, or ends and names who was left', async () => {
    const waiting = new CampaignStage(50);
    waiting.gateway.quotaLeft = 20;
    waiting.gateway.quotaResetAt = Date.UTC(2026, 3, 1);
    waiting.controls.start(waiting.now);
    for (let look = 0; look < 5; look += 1) {
      await waiting.tick();
      waiting.gateway.advance(() => 'go');
    }
    expect(waiting.counts).toMatchObject({ sent: 20, pending: 30 });
    expect(waiting.store.known.progress.hold).toEqual({ reason: 'quota', until: Date.UTC(2026, 3, 1) });
    waiting.gateway.quotaLeft = 1_000;
    await waiting.runToEnd();
    expect(waiting.counts.sent).toBe(50);

    const ending = new CampaignStage(50, { whenQuotaEnds: 'end' });
    ending.gateway.quotaLeft = 20;
    ending.controls.start(ending.now);
    await ending.runToEnd();
    expect(ending.counts).toMatchObject({ sent: 20, skipped: 30 });
    const { recipients } = ending.run.rows.page({ status: 'skipped' }, 100, null);
    expect(new Set(recipients.map(({ reason }) => reason))).toEqual(new Set(['quota']));
    expect(ending.store.known.progress).toMatchObject({ status: 'finished', reason: 'quota' });
  });

  test('sends no more an hour than it may', async () => {
    const stage = new CampaignStage(500, { ratePerHour: 120 });
    stage.controls.start(stage.now);
    const began = stage.now;
    while (stage.now < began + 3_600_000) {
      await stage.tick(5_000);
      stage.gateway.advance(() => 'go');
    }
    expect(stage.gateway.messages.length).toBeGreaterThan(115);
    expect(stage.gateway.messages.length).toBeLessThanOrEqual(122);
  });

  test('gives numbers with a backlog of others nothing, and says what it waits for', async () => {
    const stage = new CampaignStage(50);
    for (const number of stage.gateway.numbers) number.waiting = 500;
    stage.controls.start(stage.now);
    await stage.tick();
    expect(stage.gateway.messages).toHaveLength(0);
    expect(stage.store.known.progress.hold?.reason).toBe('busy');
    for (const number of stage.gateway.numbers) Object.assign(number, { waiting: 0, leftToday: 0 });
    await stage.tick();
    expect(stage.store.known.progress.hold?.reason).toBe('daily_limit');
    for (const number of stage.gateway.numbers) number.hindrance = 'banned';
    await stage.tick();
    expect(stage.store.known.progress.hold?.reason).toBe('numbers');
  });

  test('sends by the clocks of its recipients, on its days and in its hours', async () => {
    const window = {
      days: ['monday' as const, 'tuesday' as const],
      from: '09:00',
      to: '17:00',
      timeZone: 'recipient' as const,
    };
    const stage = new CampaignStage(4, { window });
    const zones = ['Asia/Jakarta', 'Europe/Berlin', 'America/New_York', null];
    for (const [index, member] of stage.gateway.members.entries()) {
      Object.assign(member, { timeZone: zones[index] ?? null, country: null });
    }
    // A Sunday, 20:00 in UTC.
    stage.now = Date.UTC(2026, 2, 1, 20);
    stage.controls.start(stage.now);
    await stage.tick(60_000);
    // The first of them to open is Jakarta.
    const until = Date.UTC(2026, 2, 2, 2);
    expect(stage.store.known.progress.hold).toEqual({ reason: 'window', until });
    const leftAt = new Map<string, string>();
    while (leftAt.size < 4) {
      await stage.tick(60_000);
      for (const { to } of stage.gateway.messages) {
        if (!leftAt.has(to)) leftAt.set(to, new Date(stage.now).toISOString().slice(0, 15));
      }
    }
    expect([...leftAt.values()].toSorted()).toEqual([
      '2026-03-02T02:0',
      '2026-03-02T08:0',
      '2026-03-02T09:0',
      '2026-03-02T14:0',
    ]);
  });

  test('tries its texts on some, and gives the others the one that is answered more', async () => {
    const texts = [textOf('A'), textOf('B')];
    const stage = new CampaignStage(400, { texts, winner: { testPercent: 25, afterMinutes: 30 } });
    stage.controls.start(stage.now);
    for (let look = 0; look < 20; look += 1) {
      await stage.tick();
      stage.gateway.advance(() => 'go');
    }
    const tried = stage.gateway.messages.length;
    expect(tried).toBeGreaterThan(60);
    expect(tried).toBeLessThan(140);
    expect(stage.store.known.progress.hold?.reason).toBe('winner');
    for (const { to, numberId, content } of stage.gateway.messages) {
      if (content.type === 'text' && content.text === 'B') stage.gateway.write(to, 'yes', numberId);
    }
    await stage.tick();
    await stage.tick(31 * 60_000);
    await stage.runToEnd();
    const later = stage.gateway.messages.slice(tried).map(({ content }) => content);
    expect(later).toHaveLength(400 - tried);
    expect(later.every((content) => content.type === 'text' && content.text === 'B')).toBe(true);
  });

  test('does not ask again for what the account may have forgotten, and never sends it anew', async () => {
    const stage = new CampaignStage(3);
    stage.controls.start(stage.now);
    stage.gateway.losesAnswers = true;
    await stage.tickUntil(() => stage.gateway.messages.length === 3);
    stage.gateway.losesAnswers = false;
    // The answer was lost, and nobody was there to ask for a day: by then the account knows of no answer.
    stage.gateway.forgetAnswers();
    await stage.tick(23 * 3_600_000 + 1);
    await stage.tick();
    expect(stage.gateway.messages).toHaveLength(3);
    expect(stage.counts).toMatchObject({ recipients: 3, failed: 3 });
    const { recipients } = stage.run.rows.page({ status: 'failed' }, 100, null);
    expect(recipients.map(({ reason }) => reason)).toEqual(Array(3).fill('unknown_outcome'));
    expect(stage.store.known.progress.status).toBe('finished');
    expect(stage.controls.retryFailed(stage.now)).toMatchObject({ ok: false, code: 'CONFLICT' });
  });

  test('asks again for what the account still knows, and gets the answer that it gave', async () => {
    const stage = new CampaignStage(3);
    stage.controls.start(stage.now);
    stage.gateway.losesAnswers = true;
    await stage.tickUntil(() => stage.gateway.messages.length === 3);
    stage.gateway.losesAnswers = false;
    await stage.tick(22 * 3_600_000);
    await stage.runToEnd();
    expect(stage.gateway.messages).toHaveLength(3);
    expect(stage.counts).toMatchObject({ recipients: 3, sent: 3 });
  });

  test('sends again what failed, but not what may have arrived', async () => {
    const stage = new CampaignStage(40);
    stage.controls.start(stage.now);
    await stage.tick();
    stage.gateway.advance(({ to }) => (Number(to) % 3 === 0 ? 'fail' : 'go'));
    await stage.runToEnd();
    expect(stage.counts).toMatchObject({ sent: 36, failed: 4 });
    stage.controls.retryFailed(stage.now);
    expect(stage.store.known.progress).toMatchObject({ status: 'running', endedAt: null });
    await stage.runToEnd();
    expect(stage.counts).toMatchObject({ sent: 40, failed: 0 });
    expectNobodyTwice(stage);
  });

  test('refuses to send again where nothing has failed, or only what may have arrived', async () => {
    const stage = new CampaignStage(3);
    stage.controls.start(stage.now);
    await stage.runToEnd();
    const { revision } = stage.store.known.progress;
    const retry = () => stage.controls.retryFailed(stage.now);
    expect(retry()).toMatchObject({
      ok: false,
      code: 'CONFLICT',
      message: expect.stringContaining('nothing has failed'),
    });
    const recipient = stage.run.rows.find(628_100_000_000);
    if (recipient === null) throw new Error('there is no such recipient');
    const fail = (reason: string) =>
      stage.store.change((progress) => {
        stage.run.rows.save({ ...recipient, state: 'failed', reason });
        progress.tally.states = { ...progress.tally.states, sent: 2, failed: 1 };
      });
    fail('unknown_outcome');
    expect(retry()).toMatchObject({
      ok: false,
      code: 'CONFLICT',
      message: expect.stringContaining('may have arrived'),
    });
    expect(stage.store.known.progress).toMatchObject({ status: 'finished', revision });
    fail('recipient_opted_out');
    expect(retry()).toMatchObject({ ok: false, code: 'CONFLICT' });
    fail('network_500');
    expect(retry()).toEqual({ ok: true });
  });

  test('takes back all that has not left, however much it is, in bounded calls and across lives', async () => {
    const stage = new CampaignStage(2_000, {}, 250);
    stage.controls.start(stage.now);
    for (let looks = 0; looks < 20 && stage.counts.queued < 1_200; looks += 1) await stage.tick();
    expect(stage.counts.queued).toBeGreaterThanOrEqual(1_200);
    stage.controls.cancel(stage.now);
    stage.gateway.cut = 'behind';
    for (let looks = 0; looks < 10; looks += 1) await stage.tick();
    const left = stage.gateway.messages.filter(({ status }) => status === 'queued');
    // The others were with their numbers already, as this gateway has it.
    expect(left.every(({ to }) => Number(to) % 2 === 1)).toBe(true);
    expect(Math.max(...stage.gateway.withdrawn)).toBeLessThanOrEqual(100);
  });

  test('cancels everybody who waits in slices, each a commit of its own, across lives', async () => {
    const stage = new CampaignStage(600);
    stage.gateway.numbers = [];
    stage.controls.start(stage.now);
    for (let looks = 0; looks < 20 && stage.counts.recipients < 600; looks += 1) await stage.tick();
    stage.controls.cancel(stage.now);
    const left: number[] = [];
    while (stage.run.sweep(stage.now)) {
      stage.begin();
      left.push(stage.counts.pending);
    }
    expect(left).toEqual([350, 100, 0]);
    expect(stage.counts).toMatchObject({ recipients: 600, cancelled: 600 });
  });

  test('takes back, once it has stopped, what comes back from a number later', async () => {
    const stage = new CampaignStage(100);
    stage.controls.start(stage.now);
    await stage.tick();
    stage.controls.pause(stage.now);
    await stage.tick();
    const atNumbers = stage.counts.queued;
    expect(atNumbers).toBeGreaterThan(0);
    stage.gateway.allMayBeTakenBack = true;
    for (let looks = 0; looks < 10; looks += 1) await stage.tick();
    expect(stage.counts).toMatchObject({ queued: 0, pending: 100 });
  });

  test('takes no message back that nobody has, and names who was cancelled', async () => {
    const stage = new CampaignStage(500);
    stage.controls.start(stage.now);
    await stage.tick();
    stage.controls.cancel(stage.now);
    await stage.tick();
    await stage.tick();
    const { queued, cancelled, recipients } = stage.counts;
    expect(queued + cancelled).toBe(recipients);
    expect(cancelled).toBeGreaterThan(queued);
    expect(stage.store.known.progress.status).toBe('cancelled');
  });
});
