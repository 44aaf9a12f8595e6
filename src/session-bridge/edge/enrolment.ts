import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { backoffMs } from '../backoff.ts';
import { type BridgeConfig, ConfigError } from '../config.ts';
import type { JournalDatabase } from '../journal/database.ts';
import { errorText, type Log } from '../logging.ts';

const answerSchema = z.looseObject({ token: z.string().min(1) });
const answerMs = 10_000;

/** The edge lets no bridge in with this enrolment token. */
export class EnrolmentRefused extends Error {}

/** The edge has no fleet in the region that was asked for. */
export class RegionRefused extends Error {}

const refusalSchema = z.looseObject({
  error: z.looseObject({ details: z.array(z.looseObject({ path: z.string() })) }),
});

/** `gatewayUrl`: its origin, `ws:` or `http:`. Throws {@link EnrolmentRefused} where the credential is none. */
async function post(
  gatewayUrl: string,
  path: string,
  credential: string,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch(`${gatewayUrl.replace(/^ws/, 'http')}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(answerMs)]),
  });
  if (response.status === 401 || response.status === 403) throw new EnrolmentRefused();
  return response;
}

async function tokenIn(response: Response): Promise<string> {
  if (!response.ok) throw new Error(`the edge answered ${response.status}`);
  return answerSchema.parse(await response.json()).token;
}

/** Asks the edge to let this bridge in. Answers the bridge's own token. */
export async function askForToken(
  gatewayUrl: string,
  enrolmentToken: string,
  bridgeId: string,
  signal?: AbortSignal,
): Promise<string> {
  return tokenIn(await post(gatewayUrl, '/bridge/enrol', enrolmentToken, { bridgeId }, signal));
}

/** What the operator wants of a bridge that is to come; null: nothing. */
export interface BridgeWishes {
  name: string | null;
  region: string | null;
}

/**
 * Creates a one-time token, as the operator. Throws {@link EnrolmentRefused} if the operator's token is wrong, and {@link
 * RegionRefused} if the gateway does not have the region.
 */
export async function makeEnrolmentToken(
  gatewayUrl: string,
  operatorToken: string,
  { name, region }: BridgeWishes,
): Promise<string> {
  const response = await post(gatewayUrl, '/v1/operator/bridges', operatorToken, {
    ...(name !== null && { name }),
    ...(region !== null && { region }),
    expiresInSeconds: 60,
  });
  if (response.status === 400 && region !== null && (await isAbout(response, 'region')))
    throw new RegionRefused();
  return tokenIn(response);
}

/** Whether a refusal names this field. */
async function isAbout(response: Response, field: string): Promise<boolean> {
  const refusal = refusalSchema.safeParse(await response.clone().json());
  return refusal.success && refusal.data.error.details.some(({ path }) => path === field);
}

/**
 * The bridge's own token, with which it identifies itself. A new bridge gets it from the edge once, in exchange for the
 * operator's enrolment token. It is stored in the journal with the identity that it belongs to.
 */
export class Credential {
  readonly #config: BridgeConfig;
  readonly #db: JournalDatabase;
  readonly #log: Log;

  /** Throws {@link ConfigError} where the bridge has neither a credential nor what it takes to get one. */
  constructor(config: BridgeConfig, db: JournalDatabase, log: Log) {
    this.#config = config;
    this.#db = db;
    this.#log = log;
    if (this.#stored === null && config.enrolmentToken === null) {
      throw new ConfigError(
        'BRIDGE_ENROLMENT_TOKEN is not set: a new bridge needs the token that the operator of the gateway makes for it.',
      );
    }
  }

  get isKnown(): boolean {
    return this.#stored !== null;
  }

  get token(): string {
    const token = this.#stored;
    if (token === null) throw new Error('the bridge is not enrolled yet');
    return token;
  }

  /** Resolves when the bridge is enrolled; until then it tries with growing waits. Throws {@link EnrolmentRefused}. */
  async enrol(signal: AbortSignal): Promise<void> {
    const { reconnectBaseMs: baseMs, edgeReconnectCapMs: capMs } = this.#config.timings;
    for (let attempt = 0; this.#stored === null; attempt += 1) {
      try {
        const { gatewayUrl, enrolmentToken } = this.#config;
        const token = await askForToken(gatewayUrl, enrolmentToken ?? '', this.#db.bridgeId, signal);
        this.#db.setMeta('token', token);
        this.#log.info({ bridgeId: this.#db.bridgeId }, 'bridge.enrolled');
      } catch (error) {
        if (error instanceof EnrolmentRefused || signal.aborted) throw error;
        const waitMs = backoffMs(attempt, { baseMs, capMs });
        this.#log.info({ waitMs, error: errorText(error) }, 'bridge.enrolment_failed');
        await wait(waitMs, undefined, { signal });
      }
    }
  }

  get #stored(): string | null {
    return this.#db.meta('token');
  }
}
