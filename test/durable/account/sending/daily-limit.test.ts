import { evictDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { StandInLogs, StandInNumbers } from '../../stand-in-objects.ts';
import { until } from '../../until.ts';
import { type AccountStub, newRecipient, news, poolOf, sendRequest } from '../account-fixture.ts';

/** The same sequence for the same seed. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536);
  };
}

describe('the daily limits of a pool', () => {
  test.for([1, 2, 3, 4])(
    'are used to the last message and no further while another number has room, however late answers and reports come (%i)',
    async (seed) => {
      const random = pseudoRandom(seed);
      const numbers = await StandInNumbers.begin();
      await StandInLogs.begin();
      const { account, keyHash, numberIds } = await poolOf(3);
      const limits = new Map(numberIds.map((numberId, index) => [numberId, 5 + 4 * index + (random() % 5)]));
      const all = [...limits.values()].reduce((sum, limit) => sum + limit, 0);
      const taken = (numberId: string) => numbers.givenTo(numberId).length;
      const left = (numberId: string) => Math.max(0, (limits.get(numberId) ?? 0) - taken(numberId));
      numbers.dailyRemaining = left;
      // Some turns of the event loop, so that answers and reports overtake each other.
      const pause = async () => {
        for (let turn = random() % 7; turn > 0; turn -= 1) await scheduler.wait(0);
      };
      numbers.pause = pause;
      const report = async (numberId: string, revision: number) => {
        const said = news(numberId, {
          revision,
          dailyRemaining: left(numberId),
          takenUpTo: numbers.takenUpTo(numberId),
        });
        await pause();
        await account.hear(said);
      };
      for (const numberId of numberIds) await report(numberId, 2_000);
      const chosen = await sendAll(account, keyHash, all, random, report, numberIds);
      for (const numberId of numberIds) {
        expect(chosen.filter((it) => it === numberId)).toHaveLength(limits.get(numberId) ?? 0);
      }
      // What is beyond all of them is held, by whomever, and goes to no number.
      for (let beyond = 0; beyond < 9; beyond += 1) {
        expect(await account.send(sendRequest(keyHash, { to: newRecipient() }))).toMatchObject({ ok: true });
      }
      await until(() => numberIds.every((numberId) => left(numberId) === 0));
      for (const numberId of numberIds) await report(numberId, 1_000_000);
      expect(numbers.givenTo(...numberIds)).toHaveLength(all);
      // The next day one of them goes on.
      limits.set(numberIds[1] ?? '', 100);
      await report(numberIds[1] ?? '', 2_000_000);
      await until(() => numbers.givenTo(...numberIds).length === all + 9);
    },
  );
});

/** Sends as many messages as the day has, in bursts, with reports and evictions in between; who was chosen for each. */
async function sendAll(
  account: AccountStub,
  keyHash: string,
  count: number,
  random: () => number,
  report: (numberId: string, revision: number) => Promise<void>,
  numberIds: readonly string[],
): Promise<string[]> {
  const chosen: string[] = [];
  while (chosen.length < count) {
    const burst = Math.min(1 + (random() % 9), count - chosen.length);
    const sends = Array.from({ length: burst }, () =>
      account.send(sendRequest(keyHash, { to: newRecipient() })),
    );
    for (const result of await Promise.all(sends)) {
      if (!result.ok) throw new Error(result.code);
      chosen.push(result.answer.numberId);
    }
    if (random() % 2 === 0) await evictDurableObject(account);
    if (random() % 3 === 0) await report(numberIds[random() % 3] ?? '', 3_000 + chosen.length);
  }
  return chosen;
}
