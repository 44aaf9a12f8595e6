import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultPacing } from '../../../../src/contract/numbers/sender-settings.ts';
import { Account } from '../../../../src/durable/account/account.ts';
import type { MessageBatch } from '../../../../src/durable/hand-over/message-batch.ts';
import { PhoneNumber } from '../../../../src/durable/phone-number/phone-number.ts';
import { phoneNumber } from '../../phone-number/fake-bridge.ts';
import { NodeBridge } from '../../phone-number/node-bridge.ts';
import { StandInLogs, standInFor } from '../../stand-in-objects.ts';
import { addNumber, newAccount, sendRequest } from '../account-fixture.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const noon = Date.parse('2037-05-10T12:00:00.000Z');
const recipients = ['628100000001', '628100000002', '628100000003', '628100000004'];

/** What may happen, in any order. `which`: a number or a call under way; `who`: a recipient. */
type Step =
  | { kind: 'send' | 'inbound' | 'alias'; which: number; who: number }
  | { kind: 'restricted' | 'free' | 'lost' | 'back' | 'evict' | 'ring'; which: number }
  | { kind: 'limit'; which: number; limit: number | null }
  | { kind: 'answer'; which: number; outcome: 'sent' | 'returned' }
  | { kind: 'arrive'; which: number }
  | { kind: 'pass'; ms: number };

const which = fc.nat({ max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), which, who: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('inbound', 'alias'), which, who: which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('restricted', 'free', 'lost', 'back', 'evict', 'ring', 'ring'),
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      which,
      limit: fc.constantFrom(0, 1, 2, 3, null),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      which,
      outcome: fc.constantFrom('sent', 'sent', 'returned'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('arrive' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, minuteMs, 20 * minuteMs, 13 * 3_600_000),
    }),
  },
);

const aliasOf = (to: string) => `1000${to}`;

/** Calls between the objects, and their answers, that have yet to arrive: in whatever order. */
class Wire {
  #waiting: (() => void)[] = [];
  isOpen = true;

  pass(): Promise<void> {
    return this.isOpen ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  arrive(which: number): void {
    this.#waiting.splice(which % Math.max(1, this.#waiting.length), 1)[0]?.();
  }

  open(): void {
    this.isOpen = true;
    for (const arrive of this.#waiting.splice(0)) arrive();
  }
}

let wire: Wire;
/** How often each object was evicted. */
let lives: Map<string, number>;
const lifeOf = (name: string) => lives.get(name) ?? 0;
let onTake: (numberId: string, batch: MessageBatch) => void;

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  wire = new Wire();
  await StandInLogs.begin();
  lives = new Map();
  const { take } = PhoneNumber.prototype;
  // Whoever calls an object awaits its answer, whatever the verb returns.
  vi.spyOn(PhoneNumber.prototype, 'take').mockImplementation(function (this: PhoneNumber, batch): never {
    const { name = '' } = (this as unknown as { ctx: DurableObjectState }).ctx.id;
    onTake(name, batch);
    return over(name, 'account', async () => take.call(this, batch)) as never;
  });
  const { hear } = Account.prototype;
  vi.spyOn(Account.prototype, 'hear').mockImplementation(function (this: Account, news) {
    return over('account', news.numberId, () => hear.call(this, news));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A call that takes its time. One that an eviction cuts off fails, and what an object that is gone has asked is answered to nobody. */
async function over<Result>(callee: string, caller: string, call: () => Promise<Result>): Promise<Result> {
  const [calleeLife, callerLife] = [lifeOf(callee), lifeOf(caller)];
  await wire.pass();
  if (lifeOf(callee) === calleeLife) {
    const answer = await call();
    await wire.pass();
    if (lifeOf(caller) === callerLife) return answer;
  }
  if (lifeOf(caller) !== callerLife) return new Promise(() => {});
  throw new Error('the object was evicted');
}

/** What the objects have begun goes on as far as it can. */
async function turn(): Promise<void> {
  for (let count = 0; count < 8; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

class World {
  readonly #account: Awaited<ReturnType<typeof newAccount>>['account'];
  readonly #keyHash: string;
  readonly #bridges: NodeBridge[];
  readonly #sql: SqlStorage;
  readonly #limits = new Map<string, number | null>();
  #revision = 1;
  #inbound = 0;
  /** When they wrote to a number, by both. */
  readonly #wroteAt = new Map<string, number>();
  readonly #accepted = new Map<string, { to: string; at: number }>();
  readonly #left = new Set<string>();
  /** Messages of a number's day, by both. */
  readonly #ofDay = new Map<string, Set<string>>();
  readonly #isAnswer = new Map<string, boolean>();
  readonly #batches = new Set<string>();
  /** What the account knew when it last gave a message to a number, by both. */
  readonly #knownAt = new Map<string, string>();
  readonly faults: string[] = [];

  private constructor(
    account: Awaited<ReturnType<typeof newAccount>>['account'],
    sql: SqlStorage,
    keyHash: string,
    bridges: NodeBridge[],
  ) {
    this.#account = account;
    this.#sql = sql;
    this.#keyHash = keyHash;
    this.#bridges = bridges;
    for (const bridge of bridges) bridge.onSend = (message) => this.#leaves(bridge.numberId, message);
    onTake = (numberId, batch) => this.#given(numberId, batch);
  }

  static async begin(count: number): Promise<World> {
    const { account, accountId, keyHash } = await newAccount(0);
    standInFor(accountId);
    const bridges: NodeBridge[] = [];
    onTake = () => {};
    for (let index = 0; index < count; index += 1) {
      const numberId = await addNumber(accountId);
      await account.refresh();
      bridges.push(await NodeBridge.connect(accountId, numberId, `62812345678${index}`));
    }
    const sql = await runInDurableObject(account, (_, { storage }) => storage.sql);
    const world = new World(account, sql, keyHash, bridges);
    for (const { numberId } of bridges) await world.#limit(numberId, 2);
    await world.#ringAll();
    return world;
  }

  async run(it: Step): Promise<void> {
    if (it.kind === 'pass') vi.setSystemTime(Date.now() + it.ms);
    else if (it.kind === 'arrive') wire.arrive(it.which);
    else {
      const bridge = this.#bridges[it.which % this.#bridges.length];
      if (bridge) await this.#act(it, bridge);
    }
    await turn();
  }

  async #act(it: Exclude<Step, { kind: 'pass' | 'arrive' }>, bridge: NodeBridge): Promise<void> {
    const { numberId } = bridge;
    const at = new Date().toISOString();
    const to = recipients[('who' in it ? it.who : 0) % recipients.length] ?? '';
    switch (it.kind) {
      case 'send': {
        const sent = await this.#account.send(sendRequest(this.#keyHash, { to, senderHint: numberId }));
        if (sent.ok) this.#accepted.set(sent.answer.messageId, { to, at: Date.now() });
        return;
      }
      case 'inbound': {
        this.#inbound += 1;
        this.#wroteAt.set(`${numberId} ${to}`, Date.now());
        const of = { providerMessageId: `IN${this.#inbound}`, at, chatType: 'personal', from: to } as const;
        void bridge.tell({
          type: 'inbound',
          items: [{ ...of, pushName: '', content: { type: 'text', text: 'hello' } }],
        });
        return;
      }
      case 'alias':
        this.#wroteAt.set(`${numberId} ${to}`, Date.now());
        this.#inbound += 1;
        void bridge.tell({
          type: 'inbound',
          items: [
            {
              ...{ providerMessageId: `IN${this.#inbound}`, at, chatType: 'personal', pushName: '' },
              ...{ from: aliasOf(to), senderLid: aliasOf(to), content: { type: 'text', text: 'hello' } },
            },
          ],
        });
        await this.#account.knowAliases([{ lid: aliasOf(to), phoneNumber: to }]);
        return;
      case 'restricted':
      case 'free':
        void bridge.tell({
          type: 'network.restriction',
          isActive: it.kind === 'restricted',
          until: null,
        });
        return;
      case 'lost':
        void bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at });
        return;
      case 'back':
        void bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at });
        return;
      case 'limit':
        await this.#limit(numberId, it.limit);
        return;
      case 'answer':
        this.#answer(bridge, it.outcome);
        return;
      case 'evict': {
        const isAccount = it.which % 2 === 0;
        const name = isAccount ? 'account' : numberId;
        lives.set(name, lifeOf(name) + 1);
        await evictDurableObject(isAccount ? this.#account : phoneNumber(numberId));
        return;
      }
      case 'ring':
        void runDurableObjectAlarm(it.which % 3 === 0 ? this.#account : phoneNumber(numberId));
    }
  }

  async #limit(numberId: string, dailyLimit: number | null): Promise<void> {
    this.#revision += 1;
    const before = this.#limits.get(numberId) ?? null;
    const isHigher = dailyLimit === null || (before !== null && dailyLimit > before);
    if (isHigher) this.#limits.set(numberId, dailyLimit);
    const pacing = { ...defaultPacing, minDelayMs: minuteMs, maxDelayMs: minuteMs, dailyLimit };
    await phoneNumber(numberId).configure(pacing, this.#revision);
    this.#limits.set(numberId, dailyLimit);
  }

  #answer(bridge: NodeBridge, outcome: 'sent' | 'returned'): void {
    const message = bridge.handed.shift();
    if (message === undefined) return;
    const { messageId, handOver } = message;
    if (outcome === 'returned') {
      this.#left.delete(messageId);
      this.#day(bridge.numberId).delete(messageId);
    }
    const about = { messageId, handOver };
    const at = new Date().toISOString();
    void bridge.tell({
      type: 'send.outcomes',
      items: [outcome === 'sent' ? { ...about, outcome, at, ackMs: 5 } : { ...about, outcome }],
    });
  }

  #day(numberId: string): Set<string> {
    const key = `${numberId} ${Math.floor(Date.now() / dayMs)}`;
    const day = this.#ofDay.get(key) ?? new Set();
    this.#ofDay.set(key, day);
    return day;
  }

  /** The account gives a number a batch: what it knows must be more than when it gave it one of these before. */
  #given(numberId: string, { batchNumber, messages }: MessageBatch): void {
    const key = `${numberId} ${batchNumber}`;
    // What is offered again may be an answer by now.
    if (this.#batches.has(key)) {
      for (const { messageId, isAnswer } of messages) if (isAnswer) this.#isAnswer.set(messageId, true);
      return;
    }
    this.#batches.add(key);
    for (const { messageId, to, isAnswer = false } of messages) {
      this.#isAnswer.set(messageId, isAnswer);
      // Whoever is answered has written: what is there for them answers them, too.
      if (isAnswer)
        for (const [id, other] of this.#accepted) if (other.to === to) this.#isAnswer.set(id, true);
      const wroteAt = this.#wroteAt.get(`${numberId} ${to}`);
      if (isAnswer && wroteAt === undefined) this.faults.push('an answer to somebody who has not written');
      const known = this.#known(numberId, to);
      const place = `${numberId} ${messageId}`;
      if (this.#knownAt.get(place) === known)
        this.faults.push(`handed over again without a new fact: ${known}`);
      this.#knownAt.set(place, known);
    }
  }

  /** What the account knows of a number, and of somebody's talk with it. */
  #known(numberId: string, to: string): string {
    const [sender] = this.#sql
      .exec<{ report: string }>('SELECT report FROM senders WHERE number_id = ?', numberId)
      .toArray();
    const [talk] = this.#sql
      .exec<{ at: number | null }>(
        'SELECT wrote_at AS at FROM conversations WHERE recipient = ? AND number_id = ?',
        to,
        numberId,
      )
      .toArray();
    return `report ${JSON.parse(sender?.report ?? '{}').revision}, written at ${talk?.at ?? 'no time'}`;
  }

  #leaves(numberId: string, { messageId, handedTo }: { messageId: string; handedTo: string | null }): void {
    if (this.#left.has(messageId) && handedTo === null) this.faults.push('left twice as if it were new');
    this.#left.add(messageId);
    if (handedTo !== null) return;
    const day = this.#day(numberId);
    const limit = this.#limits.get(numberId) ?? null;
    if (limit !== null && day.size >= limit && this.#isAnswer.get(messageId) !== true) {
      this.faults.push(`the day of ${limit} is exceeded`);
    }
    day.add(messageId);
  }

  /** Everything arrives, everybody is back, and time passes: then only what no number may send may still wait. */
  async settle(): Promise<void> {
    wire.open();
    await turn();
    // Within a day, since the next one lets more leave.
    vi.setSystemTime(Math.max(Date.now(), Math.ceil(Date.now() / dayMs) * dayMs + 3_600_000));
    for (const bridge of this.#bridges) {
      const at = new Date().toISOString();
      await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at });
    }
    for (let round = 0; round < 30; round += 1) {
      for (const bridge of this.#bridges) while (bridge.handed.length > 0) this.#answer(bridge, 'sent');
      await this.#ringAll();
      vi.setSystemTime(Date.now() + 2 * minuteMs);
    }
    await this.#checkRest();
  }

  async #ringAll(): Promise<void> {
    await turn();
    for (const { numberId } of this.#bridges) await runDurableObjectAlarm(phoneNumber(numberId));
    await turn();
    await runDurableObjectAlarm(this.#account);
    await turn();
  }

  async #checkRest(): Promise<void> {
    const now = Date.now();
    const states = new Map<string, { isRestricted: boolean; left: number | null }>();
    for (const { numberId } of this.#bridges) {
      const { status } = await phoneNumber(numberId).health();
      const limit = this.#limits.get(numberId) ?? null;
      const left = limit === null ? null : Math.max(0, limit - this.#day(numberId).size);
      states.set(numberId, { isRestricted: status === 'restricted', left });
      const queued = await runInDurableObject(phoneNumber(numberId), (_, { storage }) =>
        storage.sql.exec('SELECT message_id FROM queue WHERE handed_to IS NULL').toArray(),
      );
      if (queued.length > 0) this.faults.push(`${queued.length} messages stay at their number`);
    }
    const waiting = await runInDurableObject(this.#account, (_, { storage }) =>
      storage.sql
        .exec<{ number_id: string; kind: string; message_id: string; recipient: string }>(
          'SELECT number_id, kind, message_id, recipient FROM accepted',
        )
        .toArray(),
    );
    for (const { number_id: own, kind, message_id: messageId, recipient } of waiting) {
      const state = states.get(own);
      const mayLeave = state?.left !== 0 && !(kind === 'new' && state?.isRestricted);
      if (kind === 'answer' || mayLeave) this.faults.push(`waits although it may leave: ${kind}`);
      const wroteAt = this.#wroteAt.get(`${own} ${recipient}`);
      if (wroteAt !== undefined && now - wroteAt < dayMs) this.faults.push(`an answer is held: ${kind}`);
      if (!this.#accepted.has(messageId)) this.faults.push('nobody has sent it');
      const other = [...states].find(
        ([numberId, it]) => numberId !== own && it.left === null && !it.isRestricted,
      );
      if (other) this.faults.push('waits although another number may send it');
    }
    for (const [messageId, { at }] of this.#accepted) {
      if (this.#left.has(messageId) || now - at >= dayMs) continue;
      if (!waiting.some((row) => row.message_id === messageId)) this.faults.push('it is nowhere');
    }
  }
}

/** `FUZZ_SECONDS=120 FUZZ_SEED=7` looks further, and elsewhere. */
const { FUZZ_SECONDS, FUZZ_SEED } = process.env;

test('whatever facts come late and in whatever order: nothing is handed over again for nothing, no day is exceeded, no answer is held, nothing waits that may leave', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 }),
      fc.array(step, { minLength: 10, maxLength: 60 }),
      async (count, steps) => {
        vi.setSystemTime(noon);
        wire = new Wire();
        const world = await World.begin(count);
        wire.isOpen = false;
        for (const it of steps) await world.run(it);
        await world.settle();
        expect(world.faults).toEqual([]);
      },
    ),
    {
      seed: Number(FUZZ_SEED ?? 36),
      ...(FUZZ_SECONDS
        ? { numRuns: 1_000_000, interruptAfterTimeLimit: Number(FUZZ_SECONDS) * 1_000 }
        : { numRuns: 12 }),
    },
  );
});
