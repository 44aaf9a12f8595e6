import type { Home } from '../../src/local/home/home.ts';
import { type LocalSecrets, loadOrMakeSecrets } from '../../src/local/home/secrets.ts';
import { requestJson } from '../../src/local/json-client.ts';
import { makeBenchHome, removeBenchHome, type StateIn } from './bench-home.ts';
import { type Edge, type EdgeOptions, startEdge } from './edge.ts';
import { type BenchNetwork, type StartSimulator, startNetwork } from './network.ts';

/** The Worker with its objects, and nothing that would send. */
export interface BenchEdge {
  edge: Edge;
  secrets: LocalSecrets;
}

/** A whole gateway: the Worker, the bridge and the simulator. */
export interface BenchGateway extends BenchEdge {
  network: BenchNetwork;
}

/** The limits of the free plan would end a measurement before it has begun. */
const openLimits = {
  PLANS: '{"free": "unlimited"}',
  KEY_RATE_PER_SECOND: '1000000',
  KEY_RATE_BURST: '1000000',
  PERSON_RATE_PER_SECOND: '1000000',
  PERSON_RATE_BURST: '1000000',
};

type Options = Omit<Partial<EdgeOptions>, 'home' | 'secrets'> & { stateIn?: StateIn };

/** Runs `work` with an edge of its own, and ends it and removes its state however that goes. */
export async function withEdge<Answer>(
  { stateIn, ...options }: Options,
  work: (edge: BenchEdge & { home: Home }) => Promise<Answer>,
): Promise<Answer> {
  const home = makeBenchHome(stateIn);
  try {
    const secrets = loadOrMakeSecrets(home.path, 'simulator');
    const variables = { ...openLimits, ...options.variables };
    const edge = await startEdge({ ...options, home, secrets, variables });
    try {
      return await work({ edge, secrets, home });
    } finally {
      await edge.stop();
    }
  } finally {
    removeBenchHome(home);
  }
}

/** The same with a bridge and the simulator. */
export function withGateway<Answer>(
  { simulator, ...options }: Options & { simulator?: StartSimulator },
  work: (gateway: BenchGateway) => Promise<Answer>,
): Promise<Answer> {
  return withEdge(options, async ({ edge, secrets, home }) => {
    const network = await startNetwork(edge, home, secrets, simulator);
    try {
      return await work({ edge, network, secrets });
    } finally {
      await network.stop();
    }
  });
}

/** What the simulated phone of a recipient does by itself. */
export function scriptPhone(
  network: BenchNetwork,
  phone: string,
  script: Record<string, unknown>,
): Promise<unknown> {
  return requestJson(network.adminUrl, 'PATCH', `/admin/phones/${phone}`, { body: script });
}
