import { waitUntil } from '../../src/local/wait-until.ts';
import type { LoadOrder, LoadReport } from '../processes/load-order.ts';
import { startLoadProcess } from '../processes/load-process.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { type BenchEdge, withEdge } from '../stage/gateway.ts';
import type { Around } from '../stage/worker-modules.ts';
import { cpuMsOf, untilIdle } from '../stage/workerd-cpu.ts';
import { startBridgeProcess } from './bridge-process.ts';

/** Numbers are added so many at a time: each takes some requests that wait for D1. */
const atATime = 8;
const connectedWithinMs = 120_000;
const readWithinMs = 120_000;
const settleMsMax = 30_000;
const connections = 64;

/** A round of sends, from the first request until each message was read and the runtime is quiet. */
export interface ScaleRound extends LoadReport {
  cpuMs: number;
}

/** An edge with a simulated bridge, and a load generator. */
export interface ScaleStage extends BenchEdge {
  join(): Promise<BenchCustomer>;
  /** Adds connected numbers, without pauses between messages, to these accounts in turn; their ids. */
  addNumbers(customers: readonly BenchCustomer[], count: number): Promise<string[]>;
  /** Sends through these accounts in turn; throws when anything is refused. */
  send(
    customers: readonly BenchCustomer[],
    order: Pick<LoadOrder, 'seconds' | 'perSecond' | 'bodies'>,
  ): Promise<ScaleRound>;
}

/** `around`: what is put around the Worker. */
export async function withScaleStage<Answer>(
  work: (stage: ScaleStage) => Promise<Answer>,
  { around = null }: { around?: Around | null } = {},
): Promise<Answer> {
  const [bridge, load] = [startBridgeProcess(), startLoadProcess()];
  const count = () => bridge.ask({ kind: 'count' });
  try {
    // Each object has a file of its own. A single disk syncs them one after the other, the platform has many.
    return await withEdge({ stateIn: 'memory', around }, async ({ edge, secrets }) => {
      await bridge.ask({ kind: 'link', edgeUrl: edge.url, token: secrets.bridgeToken });
      return await work({
        edge,
        secrets,
        join: () => BenchCustomer.join(edge.url, secrets),
        addNumbers: async (customers, added) => {
          const before = (await count()).connected;
          const ids: string[] = [];
          let next = 0;
          const adder = async () => {
            for (let index = next++; index < added; index = next++) {
              const customer = customers[index % customers.length] as BenchCustomer;
              ids.push(await customer.addNumber({ minDelayMs: 0, maxDelayMs: 0 }));
            }
          };
          await Promise.all(Array.from({ length: atATime }, adder));
          await waitUntil(`${added} numbers did not connect`, connectedWithinMs, async () =>
            (await count()).connected >= before + added ? true : null,
          );
          await untilIdle(edge.workerdPid, settleMsMax);
          return ids;
        },
        send: async (customers, { seconds, perSecond, bodies }) => {
          const before = (await count()).read;
          const cpuBefore = cpuMsOf(edge.workerdPid) ?? Number.NaN;
          const report = await load.ask({
            url: `${edge.url}/v1/messages/send`,
            connections,
            seconds,
            headers: customers.map(({ apiKey }) => ({ 'x-api-key': apiKey })),
            bodies,
            ...(perSecond === undefined ? {} : { perSecond }),
          });
          const sent = report.latenciesMs.length;
          if (report.statuses[202] !== sent) throw new Error(`refused: ${JSON.stringify(report.statuses)}`);
          await waitUntil(`${sent} messages were not read`, readWithinMs, async () =>
            (await count()).read >= before + sent ? true : null,
          );
          await untilIdle(edge.workerdPid, settleMsMax);
          return { ...report, cpuMs: (cpuMsOf(edge.workerdPid) ?? Number.NaN) - cpuBefore };
        },
      });
    });
  } finally {
    await load.stop();
    await bridge.stop();
  }
}
