import type { CallTrace } from '../meter/call-traces.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withGateway } from '../stage/gateway.ts';
import { takeMeter } from '../stage/meter-client.ts';

const sends = 20;

export const line: BenchLine = {
  name: 'round-trips',
  question: 'How many calls to objects or D1 does a send wait for, one after the other, counted as it runs?',
  leftOut: 'How far it is: as far as the account lives from the customer.',
  async run({ log }) {
    return withGateway({ around: 'meter' }, async ({ edge, network, secrets }) => {
      const customer = await BenchCustomer.join(edge.url, secrets);
      await customer.pairNumber(network.adminUrl, '628120000100', {});
      await takeMeter(edge);
      for (let index = 0; index < sends; index += 1)
        await customer.send(`1555000${1000 + index}`, 'One of some.');
      const { traces } = await takeMeter(edge);
      const of = (name: string) => traces.filter((trace) => trace.name === name);
      const [worker, account] = [of('fetch POST /v1/messages/send'), of('Account.send')];
      if (worker.length !== sends || account.length !== sends) throw new Error('not every send was traced');
      const called = new Set(worker.flatMap((trace) => awaited(trace).map(({ target }) => target)));
      log(`a send waits for ${[...called].join(', ')}`);
      const toD1 = [...worker, ...account].map(
        (trace) => trace.calls.filter(({ target }) => target === 'D1').length,
      );
      return [
        figure('from the Worker, in sequence', worker.map(inSequence), 1),
        figure('onward from the account', account.map(inSequence), 0),
        figure('to D1, waited for or not', toD1, 0),
      ];
    });
  },
};

function figure(name: string, seen: number[], wanted: number): Figure {
  const target = { of: 'ours', atLeast: wanted, atMost: wanted } as const;
  return { name, unit: 'a send', ours: Math.max(...seen), target, rounds: { ours: seen } };
}

/** The calls that were over before the answer; what ended later was not waited for. */
const awaited = ({ calls, answeredAt }: CallTrace) =>
  calls.filter(({ endedAt }) => endedAt !== null && (answeredAt === null || endedAt < answeredAt));

/** The longest chain of calls of which each began when the one before it had ended. */
function inSequence(trace: CallTrace): number {
  const byEnd = awaited(trace).sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
  let [chain, freeFrom] = [0, Number.NEGATIVE_INFINITY];
  for (const { beganAt, endedAt } of byEnd) {
    if (beganAt < freeFrom) continue;
    chain += 1;
    freeFrom = endedAt ?? freeFrom;
  }
  return chain;
}
