import type { BenchLine } from '../line.ts';
import type { CallTrace } from '../meter/call-traces.ts';
import { median } from '../results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withGateway } from '../stage/gateway.ts';
import { takeMeter } from '../stage/meter-client.ts';

const sends = 20;

export const line: BenchLine = {
  name: 'round-trips',
  question: 'How many calls to objects or D1 does a send wait for, one after the other, counted as it runs?',
  leftOut:
    'How far each is: the first goes as far as the account lives from the customer, the second (account to number) as ' +
    'far as those two live from each other.',
  async run({ log }) {
    return withGateway({ metered: true }, async ({ edge, network, secrets }) => {
      const customer = await BenchCustomer.join(edge.url, secrets);
      await customer.pairNumber(network.adminUrl, '628120000100', {});
      await takeMeter(edge);
      for (let index = 0; index < sends; index += 1)
        await customer.send(`1555000${1000 + index}`, 'One of some.');
      const { traces } = await takeMeter(edge);
      const depths = (name: string) => traces.filter((trace) => trace.name === name).map(sequentialCalls);
      const [worker, onward] = [depths('fetch POST /v1/messages/send'), depths('Account.send')];
      if (worker.length !== sends || onward.length !== sends) throw new Error('not every send was traced');
      const seen = traces.find(({ name }) => name === 'fetch POST /v1/messages/send');
      log(`a send calls ${seen?.calls.map(({ target }) => target).join(', ')}`);
      return [
        {
          name: 'from the Worker, in sequence',
          unit: 'a send',
          ours: Math.max(...worker),
          target: { of: 'ours', atLeast: 1, atMost: 1 },
          rounds: { ours: worker },
        },
        {
          name: 'onward from the account',
          unit: 'a send',
          ours: median(onward),
          target: null,
          rounds: { ours: onward },
        },
      ];
    });
  },
};

/** The longest chain of calls of which each began when the one before it had ended; only those before the answer count. */
function sequentialCalls({ calls, answeredAt }: CallTrace): number {
  const awaited = calls
    .filter(({ beganAt }) => answeredAt === null || beganAt < answeredAt)
    .map(({ beganAt, endedAt }) => ({ beganAt, endedAt: endedAt ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => a.endedAt - b.endedAt);
  let [chain, freeFrom] = [0, Number.NEGATIVE_INFINITY];
  for (const { beganAt, endedAt } of awaited) {
    if (beganAt < freeFrom) continue;
    chain += 1;
    freeFrom = endedAt;
  }
  return chain;
}
