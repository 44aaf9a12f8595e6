import { apiError, ConnectionError, HeliographError, TimeoutError } from './errors.ts';

export interface ClientOptions {
  /** Where the gateway is: `https://gateway.example.com`. */
  baseUrl: string;
  /** `sk_live_…`. Never in a browser. */
  apiKey?: string;
  /** For calls that people make: the dashboard token, or what gets the current one. */
  token?: string | (() => string | Promise<string>);
  /** How long one attempt may take, its body included; 30,000 unless set. */
  timeoutMs?: number;
  /** How often a call is tried again after the first attempt; 3 unless set. */
  retriesMax?: number;
  /** Instead of the runtime's own. */
  fetch?: typeof fetch;
}

/** What one call may set for itself. */
export interface CallOptions {
  /** Ends the call, its waits included. */
  signal?: AbortSignal;
  timeoutMs?: number;
  retriesMax?: number;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Makes a POST safe to repeat. */
  idempotencyKey?: string;
}

const firstWaitMs = 250;
const waitMsMax = 8_000;
/** A gateway that asks for more patience than this gets none: the error says how long it asked for. */
const retryAfterMsMax = 60_000;

type Outcome = { retry: false; value: unknown } | { retry: true; error: HeliographError };

/** Sends calls: with the credential, within their time, and again where that is safe. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;

  constructor(options: ClientOptions) {
    if ((options.apiKey === undefined) === (options.token === undefined)) {
      throw new HeliographError('Give either an apiKey or a token.');
    }
    this.#options = options;
    this.#baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
  }

  /** The parsed body of a 2xx answer; undefined for a 204. Throws a {@link HeliographError}, or the signal's reason. */
  async call(call: Call): Promise<unknown> {
    const retriesMax = call.retriesMax ?? this.#options.retriesMax ?? 3;
    // One that may have arrived is repeated only where a repeat does nothing more.
    const isRepeatable = call.method !== 'POST' || call.idempotencyKey !== undefined;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(call, isRepeatable, attempt);
      if (!outcome.retry) return outcome.value;
      const waitMs = waitBefore(attempt, outcome.error);
      if (attempt >= retriesMax || waitMs > retryAfterMsMax) throw outcome.error;
      await sleep(waitMs, call.signal);
    }
  }

  async #attempt(call: Call, isRepeatable: boolean, attempt: number): Promise<Outcome> {
    call.signal?.throwIfAborted();
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    const ending = new AbortController();
    const onAbort = () => ending.abort(call.signal?.reason);
    call.signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => ending.abort(), timeoutMs);
    const { idempotencyKey } = call;
    try {
      const response = await this.#send(call, ending.signal);
      const text = await response.text();
      if (response.ok) return { retry: false, value: text === '' ? undefined : JSON.parse(text) };
      // The attempt before got through after all, and only its answer was lost.
      if (response.status === 404 && call.method === 'DELETE' && attempt > 0) {
        return { retry: false, value: undefined };
      }
      const error = apiError(response.status, parsed(text), {
        requestId: response.headers.get('X-Request-Id') ?? '',
        retryAfterSeconds: retryAfterSeconds(response.headers.get('Retry-After')),
        idempotencyKey,
      });
      if (!isWorthARepeat(response.status, error.retryAfterSeconds, isRepeatable)) throw error;
      return { retry: true, error };
    } catch (error) {
      if (error instanceof HeliographError) throw error;
      call.signal?.throwIfAborted();
      const failure = ending.signal.aborted
        ? new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause: error, idempotencyKey })
        : new ConnectionError('The gateway could not be reached, or its answer could not be read.', {
            cause: error,
            idempotencyKey,
          });
      if (!isRepeatable) throw failure;
      return { retry: true, error: failure };
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
    }
  }

  async #send({ method, path, query = {}, body, idempotencyKey }: Call, signal: AbortSignal) {
    const url = new URL(this.#baseUrl + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const send = this.#options.fetch ?? fetch;
    return send(url.href, {
      method,
      headers: {
        Accept: 'application/json',
        ...(await this.#credential()),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
  }

  async #credential(): Promise<Record<string, string>> {
    const { apiKey, token } = this.#options;
    if (apiKey !== undefined) return { 'X-API-Key': apiKey };
    return { Authorization: `Bearer ${typeof token === 'function' ? await token() : token}` };
  }
}

/** Whether the same request may well succeed a moment later, and does no harm if the first one arrived. */
function isWorthARepeat(status: number, retryAfter: number | undefined, isRepeatable: boolean): boolean {
  // Refused before anything was done.
  if (status === 429) return true;
  if (!isRepeatable) return false;
  // 409 with a time: the first request under this idempotency key is still running.
  return status >= 500 || status === 408 || (status === 409 && retryAfter !== undefined);
}

/** What the gateway asks for, or else a random part of a wait that doubles. */
function waitBefore(attempt: number, error: HeliographError): number {
  const asked = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined;
  if (typeof asked === 'number') return asked * 1000;
  return Math.random() * Math.min(waitMsMax, firstWaitMs * 2 ** attempt);
}

/** Seconds, from a number of them or from a date. */
function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
