import { buildNeighbour } from '../neighbour/build-neighbour.ts';
import type { LoadOrder, LoadReport } from '../processes/load-order.ts';
import { startLoadProcess } from '../processes/load-process.ts';
import { percentile } from '../runner/results.ts';
import { BenchCustomer } from './customer.ts';
import { withGateway } from './gateway.ts';
import { cpuMsOf, untilIdle } from './workerd-cpu.ts';

const numbers = 4;
const recipients = 1000;
/** What a round has accepted is told to the log behind the answers; the next round begins when that is over. */
const settleMsMax = 20_000;

/** One round of load, and the CPU that workerd took for it, also behind the answers. */
export interface Round extends LoadReport {
  cpuMs: number;
  settledAfterMs: number;
}

export interface AcceptanceStage {
  /** Where requests go: the bare routes, our Worker without its objects, and our gateway. */
  urls: { bare: string; oneRow: string; workerAlone: string; send: string; sendBatch: string };
  /** Single sends, as JSON. */
  bodies: string[];
  /** Loads it; throws when anything is refused, since such a round has measured something else. */
  round(order: Omit<LoadOrder, 'headers'>): Promise<Round>;
}

/**
 * Runs `work` with an account of four numbers and a key, and with a bare Worker in the same workerd. The numbers pace
 * themselves as they do by default, so nearly all messages wait in the account.
 */
export async function withAcceptance<Answer>(
  work: (stage: AcceptanceStage) => Promise<Answer>,
): Promise<Answer> {
  const neighbour = await buildNeighbour();
  const load = startLoadProcess();
  try {
    return await withGateway({ neighbour }, async ({ edge, network, secrets }) => {
      const customer = await BenchCustomer.join(edge.url, secrets);
      for (let index = 0; index < numbers; index += 1) {
        await customer.pairNumber(network.adminUrl, `62812000010${index}`, {});
      }
      const headers = [{ 'x-api-key': customer.apiKey }];
      return await work({
        urls: {
          bare: `${edge.neighbourUrl}/`,
          oneRow: `${edge.neighbourUrl}/one-row`,
          workerAlone: `${edge.workerAloneUrl}/v1/messages/send`,
          send: `${edge.url}/v1/messages/send`,
          sendBatch: `${edge.url}/v1/messages/send-batch`,
        },
        bodies: Array.from({ length: recipients }, (_, index) =>
          JSON.stringify({
            to: String(15550010000 + index),
            text: `Your order ${index} has left our house.`,
          }),
        ),
        round: async (order) => {
          const cpuBefore = cpuMsOf(edge.workerdPid) ?? Number.NaN;
          const report = allTaken(await load.ask({ ...order, headers }));
          const settledAfterMs = await untilIdle(edge.workerdPid, settleMsMax);
          const cpuMs = (cpuMsOf(edge.workerdPid) ?? Number.NaN) - cpuBefore;
          return { ...report, cpuMs, settledAfterMs };
        },
      });
    });
  } finally {
    await load.stop();
  }
}

function allTaken(report: LoadReport): LoadReport {
  const { 202: taken = 0, ...others } = report.statuses;
  if (taken === report.latenciesMs.length) return report;
  throw new Error(`not all were accepted: ${JSON.stringify(others)}`);
}

export const rateOf = ({ latenciesMs, elapsedMs }: LoadReport) => latenciesMs.length / (elapsedMs / 1000);
export const latencyAt = (share: number) => (report: LoadReport) => percentile(report.latenciesMs, share);
export const cpuMsEach = ({ cpuMs, latenciesMs }: Round) => cpuMs / latenciesMs.length;

export const described = (round: Round) =>
  `${Math.round(rateOf(round))}/s, p50 ${latencyAt(0.5)(round).toFixed(1)} ms, p99 ${latencyAt(0.99)(round).toFixed(1)} ms, ` +
  `CPU of workerd ${cpuMsEach(round).toFixed(2)} ms each, quiet again after ${(round.settledAfterMs / 1000).toFixed(1)} s`;
