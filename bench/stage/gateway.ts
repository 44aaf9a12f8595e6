import { requestJson } from '../../src/local/json-client.ts';
import { type LocalSecrets, loadOrMakeSecrets } from '../../src/local/secrets.ts';
import { makeBenchHome, removeBenchHome } from './bench-home.ts';
import { type Edge, type EdgeOptions, startEdge } from './edge.ts';
import { type BenchNetwork, type StartSimulator, startNetwork } from './network.ts';

/** A whole gateway: the Worker, the bridge and the simulator. */
export interface BenchGateway {
  edge: Edge;
  network: BenchNetwork;
  secrets: LocalSecrets;
}

/** The limits of the free plan would end a measurement before it has begun. */
const openLimits = {
  FREE_PLAN_MESSAGES: '100000000',
  KEY_RATE_PER_SECOND: '1000000',
  KEY_RATE_BURST: '1000000',
};

/** Runs `work` with a gateway of its own, and ends it and removes its state however that goes. */
export async function withGateway<Answer>(
  options: Omit<Partial<EdgeOptions>, 'home' | 'secrets'> & { simulator?: StartSimulator },
  work: (gateway: BenchGateway) => Promise<Answer>,
): Promise<Answer> {
  const home = makeBenchHome();
  const stops: (() => unknown)[] = [() => removeBenchHome(home)];
  try {
    const secrets = loadOrMakeSecrets(home.path, 'simulator');
    const edge = await startEdge({
      ...options,
      home,
      secrets,
      variables: { ...openLimits, ...options.variables },
    });
    stops.push(() => edge.stop());
    const network = await startNetwork(edge, home, secrets, options.simulator);
    stops.push(() => network.stop());
    return await work({ edge, network, secrets });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** What the simulated phone of a recipient does by itself. */
export function scriptPhone(
  network: BenchNetwork,
  phone: string,
  script: Record<string, unknown>,
): Promise<unknown> {
  return requestJson(network.adminUrl, 'PATCH', `/admin/phones/${phone}`, { body: script });
}
