import { requestJson } from '../../src/local/json-client.ts';
import type { LoadReport } from '../processes/load-order.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { percentile } from '../runner/results.ts';
import { type ScaleStage, withScaleStage } from '../scale/stage.ts';
import type { BenchCustomer } from '../stage/customer.ts';
import { giveFacts, receivedFact } from '../stage/facts.ts';

const numbers = 1_000;
const entries = 100_000;
/** As a bridge tells of an address book, and as a number hands it on: one fact a call. */
const entriesAFact = 100;
const sendsPerSecond = 50;
const roundSeconds = 10;
const ratioMax = 2;
const callMsMax = 200;

export const line: BenchLine = {
  name: 'address-book',
  question:
    `How long do the sends of an account with ${numbers.toLocaleString('en')} numbers take at the p99 (${sendsPerSecond} a second) ` +
    `while an address book of ${entries.toLocaleString('en')} entries arrives, against the same without it, and how long does a ` +
    'call of the log take?',
  leftOut:
    'The disk: all state is in memory. The bridge and the number: the log is told directly, in the calls that a number makes. ' +
    'Each number has a conversation; a tenth of them are with people of the address book, whom the log knows by their aliases alone.',
  async run({ log, rounds }) {
    return withScaleStage(
      async (stage) => {
        const customer = await stage.join();
        const numberIds = await stage.addNumbers([customer], numbers);
        await beginConversations(stage, customer, numberIds);
        await send(stage, customer, 2);
        const [alone, beside]: [LoadReport[], LoadReport[]] = [[], []];
        const book = new AddressBook(stage, customer, numberIds[0] ?? '');
        for (let round = 1; round <= rounds; round += 1) {
          alone.push(await send(stage, customer, roundSeconds));
          const arriving = book.arrive(Math.ceil(entries / rounds));
          // Until the log has this part of it, and at least for a round.
          beside.push(await send(stage, customer, roundSeconds));
          await arriving;
          log(
            `round ${round}: p99 ${p99([alone.at(-1)]).toFixed(1)} ms alone, ${p99([beside.at(-1)]).toFixed(1)} ms beside; ` +
              `${book.told} entries, the longest call ${Math.max(...book.callsMs).toFixed(0)} ms`,
          );
        }
        return figuresOf(alone, beside, book);
      },
      { around: 'facts-route' },
    );
  },
};

let recipients = 0;

function send(stage: ScaleStage, customer: BenchCustomer, seconds: number) {
  const bodies = Array.from({ length: sendsPerSecond * seconds }, () => {
    recipients += 1;
    return JSON.stringify({ to: String(15550000000 + recipients), text: 'Your order has left our house.' });
  });
  return stage.send([customer], { seconds, perSecond: sendsPerSecond, bodies });
}

const aliasOf = (entry: number) => String(10 ** 14 + entry);

/** Somebody has written to each of the numbers, under their alias. */
async function beginConversations(
  { edge }: ScaleStage,
  { accountId }: BenchCustomer,
  numberIds: readonly string[],
): Promise<void> {
  const facts = numberIds.map((numberId, index) => {
    const entry = index % 10 === 0 ? index * 97 : entries + index;
    const fact = receivedFact({ numberId, to: aliasOf(entry), text: 'hello' });
    return { ...fact, message: { ...fact.message, senderLid: aliasOf(entry) } };
  });
  for (let first = 0; first < facts.length; first += 100) {
    await giveFacts(edge, accountId, facts.slice(first, first + 100));
  }
}

class AddressBook {
  told = 0;
  readonly callsMs: number[] = [];
  elapsedMs = 0;
  readonly #stage: ScaleStage;
  readonly #customer: BenchCustomer;
  readonly #numberId: string;

  constructor(stage: ScaleStage, customer: BenchCustomer, numberId: string) {
    this.#stage = stage;
    this.#customer = customer;
    this.#numberId = numberId;
  }

  /** So many more of its entries, one call after the other. */
  async arrive(count: number): Promise<void> {
    const { accountId } = this.#customer;
    const end = Math.min(entries, this.told + count);
    const beganAt = performance.now();
    while (this.told < end) {
      const contacts = Array.from({ length: entriesAFact }, (_, index) => {
        const entry = this.told + index;
        return { phoneNumber: String(628_100_000_000 + entry), lid: aliasOf(entry), name: `Person ${entry}` };
      });
      const fact = { kind: 'contacts.listed', numberId: this.#numberId, at: Date.now(), contacts };
      const startedAt = performance.now();
      const path = `/bench/facts?account=${accountId}`;
      const { taken } = await requestJson<{ taken: number }>(this.#stage.edge.url, 'POST', path, {
        body: [fact],
      });
      this.callsMs.push(performance.now() - startedAt);
      this.told += taken * entriesAFact;
    }
    this.elapsedMs += performance.now() - beganAt;
  }
}

const p99 = (reports: readonly (LoadReport | undefined)[]) =>
  percentile(
    reports.flatMap((report) => report?.latenciesMs ?? []),
    0.99,
  );

function figuresOf(
  alone: LoadReport[],
  beside: LoadReport[],
  { told, callsMs, elapsedMs }: AddressBook,
): Figure[] {
  const single = (name: string, unit: string, ours: number, target: Figure['target'] = null): Figure => ({
    name,
    unit,
    ours,
    target,
    rounds: { ours: [ours] },
  });
  return [
    {
      name: 'p99 of a send beside an address book that arrives',
      unit: 'ms',
      ours: p99(beside),
      counterpart: p99(alone),
      target: { of: 'ratio', atMost: ratioMax },
      rounds: {
        ours: beside.map((report) => p99([report])),
        counterpart: alone.map((report) => p99([report])),
      },
    },
    single('longest call of the log, as its caller sees it', 'ms', Math.max(...callsMs), {
      of: 'ours',
      atMost: callMsMax,
    }),
    single('median of a call', 'ms', percentile(callsMs, 0.5)),
    single('entries taken', '/ s', (1000 * told) / elapsedMs),
  ];
}
