import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Fact } from '../../src/durable/event-log/facts.ts';
import { LogOutbox } from '../../src/durable/hand-over/log-outbox.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { textMessage } from './phone-number/fake-bridge.ts';

const numberId = newUuid();
const queued = (text: string): Fact & { kind: 'message.queued' } => ({
  kind: 'message.queued',
  message: { ...textMessage(text), numberId, from: null },
});

/** An outbox in the storage of an object of its own, and a log that can be away. */
function inOutbox(
  work: (
    outbox: LogOutbox,
    log: { taken: Fact[]; isAway: boolean },
    storage: DurableObjectStorage,
  ) => unknown,
) {
  const account = env.ACCOUNT.getByName(newUuid());
  return runInDurableObject(account, async (_, { storage }) => {
    const log = { taken: [] as Fact[], isAway: false };
    const outbox = new LogOutbox(storage.sql, async (facts) => {
      if (log.isAway) return { taken: 0 };
      log.taken.push(...facts);
      return { taken: facts.length };
    });
    await work(outbox, log, storage);
    // The object itself is to find nothing of it.
    storage.sql.exec('DELETE FROM log_outbox');
  });
}

test('an outbox that has grown long is told in order to its end', async () => {
  await inOutbox(async (outbox, log) => {
    const facts = Array.from({ length: 2_500 }, (_, index) => queued(`text ${index}`));
    for (const fact of facts) outbox.add([fact]);
    await outbox.flush();
    expect(outbox.isEmpty).toBe(true);
    // What comes later too.
    const later = queued('later');
    outbox.add([later]);
    await outbox.flush();
    expect(log.taken.map((fact) => 'message' in fact && fact.message)).toEqual(
      [...facts, later].map(({ message }) => message),
    );
  });
});

test('what the log has not taken is told again, and of what it took a part of the rest, also in a life after this one', async () => {
  await inOutbox(async (outbox, log, storage) => {
    const facts = ['a', 'b', 'c', 'd', 'e'].map(queued);
    outbox.add(facts.slice(0, 1));
    outbox.add(facts.slice(1));
    log.isAway = true;
    await outbox.flush();
    expect(outbox.isEmpty).toBe(false);
    expect(outbox.dueAt()).toBeGreaterThan(Date.now());
    // The log takes three of them, and is away then.
    const answers = [3, 0];
    const cut = new LogOutbox(storage.sql, async () => ({ taken: answers.shift() ?? 0 }));
    await cut.flush();
    expect(cut.isEmpty).toBe(false);
    expect(cut.findLast(facts[2]?.message.messageId ?? '', () => true)).toEqual(facts[4]);
    const told: Fact[] = [];
    const later = new LogOutbox(storage.sql, async (some) => {
      told.push(...some.slice(0, 1));
      return { taken: 1 };
    });
    await later.flush();
    expect(told).toEqual(facts.slice(3));
    expect(later.isEmpty).toBe(true);
    expect(later.dueAt()).toBeNull();
  });
});

test('a call of the log bears a hundred facts at most, and a change that tells more than that goes alone', async () => {
  await inOutbox(async (outbox, log, storage) => {
    for (let index = 0; index < 250; index += 1) outbox.add([queued(`text ${index}`)]);
    outbox.add(Array.from({ length: 130 }, (_, index) => queued(`one change ${index}`)));
    const calls: number[] = [];
    const counting = new LogOutbox(storage.sql, async (facts) => {
      calls.push(facts.length);
      return { taken: facts.length };
    });
    await counting.flush();
    expect(calls).toEqual([100, 100, 50, 130]);
    expect(log.taken).toEqual([]);
  });
});

test('of what the log is not known to have, the newest that tells of a message is found, wherever it waits', async () => {
  await inOutbox((outbox, log) => {
    log.isAway = true;
    const first = queued('first');
    const { messageId } = first.message;
    const isIt = (fact: Fact) =>
      (fact.kind === 'message.queued' || fact.kind === 'message.moved') &&
      fact.message.messageId === messageId;
    const moved: Fact = { kind: 'message.moved', message: first.message };
    outbox.add([first]);
    expect(outbox.findLast(messageId, isIt)?.kind).toBe('message.queued');
    outbox.add([moved]);
    expect(outbox.findLast(messageId, isIt)?.kind).toBe('message.moved');
    for (let index = 0; index < 1_100; index += 1) outbox.add([queued(`text ${index}`)]);
    outbox.add([first]);
    expect(outbox.findLast(messageId, isIt)?.kind).toBe('message.queued');
    outbox.add([moved]);
    expect(outbox.findLast(messageId, isIt)?.kind).toBe('message.moved');
    expect(outbox.findLast('msg_of_nobody', () => false)).toBeNull();
  });
});

test('after a rollback only the first rows are read again, however many wait', async () => {
  await inOutbox(async (outbox, log) => {
    log.isAway = true;
    for (let index = 0; index < 3_000; index += 1) outbox.add([queued(`text ${index}`)]);
    const parse = vi.spyOn(JSON, 'parse');
    outbox.reload();
    const rows = parse.mock.calls.length;
    parse.mockRestore();
    expect(rows).toBeLessThanOrEqual(1_000);
    const last = queued('the last one');
    outbox.add([last]);
    log.isAway = false;
    await outbox.flush();
    expect(log.taken).toHaveLength(3_001);
    expect(log.taken.at(-1)).toEqual(last);
  });
});

test('what was rolled back is never told, and what comes after it is, however often that happens', async () => {
  await inOutbox(async (outbox, log, storage) => {
    const [kept, lost, next] = [queued('x'.repeat(1_000_000)), queued('lost'), queued('next')];
    outbox.add([kept]);
    expect(() =>
      storage.transactionSync(() => {
        outbox.add([lost]);
        throw new Error('rolled back');
      }),
    ).toThrow('rolled back');
    for (let times = 0; times < 5; times += 1) outbox.reload();
    outbox.add([next]);
    await outbox.flush();
    expect(log.taken).toEqual([kept, next]);
  });
});

test('a fact is found by its message wherever it waits, the last one first', async () => {
  await inOutbox((outbox) => {
    const first = queued('first');
    outbox.add([first]);
    for (let index = 0; index < 1_500; index += 1) outbox.add([queued(`text ${index}`)]);
    const far = queued('far');
    outbox.add([far]);
    const find = ({ message: { messageId } }: typeof first) =>
      outbox.findLast(
        messageId,
        (fact) => 'message' in fact && 'messageId' in fact.message && fact.message.messageId === messageId,
      );
    expect(find(first)).toEqual(first);
    expect(find(far)).toEqual(far);
    expect(find(queued('unknown'))).toBeNull();
  });
});

/** By how much later than now the log is to be told again. */
const waitOf = (outbox: LogOutbox) => (outbox.dueAt() ?? 0) - Date.now();

test('a log that is away is told again after longer and longer waits, a minute at most, and soon once it is there', async () => {
  await inOutbox(async (outbox, log) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    outbox.add([queued('first')]);
    log.isAway = true;
    const waits: number[] = [];
    for (let times = 0; times < 9; times += 1) {
      await outbox.flush();
      waits.push(waitOf(outbox));
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    log.isAway = false;
    await outbox.flush();
    log.isAway = true;
    outbox.add([queued('second')]);
    await outbox.flush();
    expect(waitOf(outbox)).toBe(500);
  });
});

test('a log that is away is told again in time, also where the clock was set back meanwhile', async () => {
  await inOutbox(async (outbox, log) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    outbox.add([queued('first')]);
    log.isAway = true;
    await outbox.flush();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(waitOf(outbox)).toBeLessThan(0);
  });
});

test('an object that ends while it tells the log is woken, and a log that never answers is told again', async () => {
  await inOutbox(async (_, __, storage) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const outbox = new LogOutbox(storage.sql, () => new Promise(() => {}));
    outbox.add([queued('first')]);
    const told = outbox.flush();
    expect(waitOf(outbox)).toBe(30_000);
    vi.advanceTimersByTime(20_000);
    await told;
    expect(waitOf(outbox)).toBe(500);
  });
});

test('a call of the log bears no more work than it can do in one go, and memory no more text than a few megabytes', async () => {
  await inOutbox(async (outbox, log, storage) => {
    log.isAway = true;
    const contacts = Array.from({ length: 60 }, () => ({ phoneNumber: '628123456789', name: 'P' }));
    for (let index = 0; index < 3; index += 1)
      outbox.add([{ kind: 'contacts.listed', numberId, at: 0, contacts: contacts as never }]);
    for (let index = 0; index < 6; index += 1) outbox.add([queued('x'.repeat(1_000_000))]);
    const parse = vi.spyOn(JSON, 'parse');
    const calls: string[] = [];
    const counting = new LogOutbox(storage.sql, async (facts) => {
      calls.push(facts.map(({ kind }) => kind).join());
      return { taken: facts.length };
    });
    const rows = parse.mock.calls.length;
    parse.mockRestore();
    expect(rows).toBe(7);
    await counting.flush();
    expect(calls.slice(0, 2)).toEqual(['contacts.listed', 'contacts.listed']);
    expect(calls.join().split(',')).toHaveLength(9);
  });
});

test('what comes while more waits than memory holds is told behind all of it', async () => {
  await inOutbox(async (_, log, storage) => {
    // The log takes one call, and is away then for another.
    const answers = [100, 0];
    const outbox = new LogOutbox(storage.sql, async (facts) => {
      const taken = answers.shift() ?? facts.length;
      log.taken.push(...facts.slice(0, taken));
      return { taken };
    });
    const facts = Array.from({ length: 1_050 }, (_fact, index) => queued(`text ${index}`));
    for (const fact of facts) outbox.add([fact]);
    await outbox.flush();
    const last = queued('the last one');
    outbox.add([last]);
    await outbox.flush();
    expect(log.taken).toEqual([...facts, last]);
  });
});
