import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestJson } from '../../src/local/json-client.ts';
import { waitUntil } from '../../src/local/wait-until.ts';
import type { LocalRun } from './local-run.ts';

const withinMs = 60_000;

/** A session bridge, with its process. */
export interface NamedBridge {
  bridgeId: string;
  pid: number;
}

interface ShownBridge {
  bridgeId: string;
  state: string;
  numbers: number;
}

/** A key for each number, by the number's id. */
export async function pairNumbers(run: LocalRun, count: number): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  const phones = Array.from({ length: count }, (_, index) => String(628150000000 + index));
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let phone = phones.pop(); phone !== undefined; phone = phones.pop()) {
        const numberId = await run.pairNumber(phone);
        keys.set(numberId, await run.keyPinnedTo(numberId));
      }
    }),
  );
  return keys;
}

export const namedBridges = (run: LocalRun): NamedBridge[] =>
  JSON.parse(readFileSync(join(run.home, 'local.json'), 'utf8')).bridges;

/** What the operator asks of the bridges. */
export function asOperator<Answer>(run: LocalRun, method: string, path = ''): Promise<Answer> {
  const { bootstrapToken } = JSON.parse(readFileSync(join(run.home, 'secrets.json'), 'utf8'));
  return requestJson(run.baseUrl, method, `/v1/operator/bridges${path}`, {
    headers: { authorization: `Bearer ${bootstrapToken}` },
  });
}

/** Waits until every bridge is as it should be. */
export async function whenBridges(
  run: LocalRun,
  what: string,
  are: (bridges: ShownBridge[]) => boolean,
): Promise<void> {
  await waitUntil(what, withinMs, async () => {
    const { data } = await asOperator<{ data: ShownBridge[] }>(run, 'GET');
    return are(data) ? true : null;
  });
}

export const allLinked = (run: LocalRun): Promise<void> =>
  whenBridges(run, 'Not all bridges came back', (bridges) =>
    bridges.every(({ state }) => state === 'linked'),
  );
