import { pino } from 'pino';
import type { Home } from '../../src/local/home/home.ts';
import type { LocalSecrets } from '../../src/local/home/secrets.ts';
import { bridgePart, simulatorPart } from '../../src/local/parts/parts.ts';
import { readSettings } from '../../src/local/settings.ts';
import { waitUntil } from '../../src/local/wait-until.ts';
import { freePortPair } from '../../test/free-ports.ts';

const startsWithinMs = 30_000;

/** The simulator and the bridge, as `npm start` runs them: processes of their own. */
export interface BenchNetwork {
  /** Origin of the simulator's admin API. */
  adminUrl: string;
  stop(): Promise<void>;
}

/** A simulator that is started in the place of the one of `npm start`, over the same state. */
export type StartSimulator = (place: { port: number; home: string }) => Promise<{ stop(): Promise<void> }>;

export async function startNetwork(
  edge: { url: string; port: number },
  home: Home,
  secrets: LocalSecrets,
  startOwn?: StartSimulator,
): Promise<BenchNetwork> {
  const simulatorPort = await freePortPair();
  const context = {
    home,
    secrets,
    settings: {
      ...readSettings({
        PORT: String(edge.port),
        SIMULATOR_PORT: String(simulatorPort),
        HELIOGRAPH_DEMO: '0',
      }),
      home: home.path,
    },
    logger: pino({ level: 'silent' }),
  };
  const simulator =
    startOwn === undefined
      ? await readySimulator(context)
      : await startOwn({ port: simulatorPort, home: home.simulator });
  const bridge = bridgePart(context, 1, () => {});
  await Promise.race([bridge.gaveUp, bridgeLinked(edge.url)]);
  return {
    adminUrl: `http://127.0.0.1:${simulatorPort}`,
    stop: async () => {
      await bridge.stop();
      await simulator.stop();
    },
  };
}

async function readySimulator(context: Parameters<typeof simulatorPart>[0]) {
  const part = simulatorPart(context);
  await Promise.race([part.ready, part.gaveUp]);
  return part;
}

function bridgeLinked(edgeUrl: string): Promise<true> {
  return waitUntil('The bridge did not report to the gateway', startsWithinMs, async () => {
    const answer = await fetch(`${edgeUrl}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    return answer?.ok ? true : null;
  });
}
