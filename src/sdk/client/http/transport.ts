import { apiError, ConnectionError, HeliographError, TimeoutError } from './errors.ts';

export interface ClientOptions {
  /** Where the gateway is: `https://gateway.example.com`. */
  baseUrl: string;
  /** `sk_live_…`. Never in a browser. */
  apiKey?: string;
  /**
   * For calls that people make: the dashboard token, or what gets the current one. `refused` is a token that the gateway
   * did not take; where another one comes back, the call is made once more with that. Null: nobody is signed in, and only
   * what needs no credential can be called. {@link Heliograph.login} does it all.
   */
  token?: string | ((refused?: string) => string | null | Promise<string | null>);
  /** How long one attempt may take, its body included; 30,000 unless set. */
  timeoutMs?: number;
  /**
   * For how long a call that is safe to repeat is tried again, from its first failure on; 20,000 unless set, which
   * outlasts a restart of the gateway. 0: no repeats.
   */
  retryForMs?: number;
  /** Instead of the runtime's own. */
  fetch?: typeof fetch;
}

/** What one call may set for itself. */
export interface CallOptions {
  /** Ends the call, its waits included. */
  signal?: AbortSignal;
  timeoutMs?: number;
  retryForMs?: number;
}

/** What is sent as it is. TypeScript before 5.7 knows no parameter of `Uint8Array`, and a `Buffer` does not always fit one. */
export type Bytes = Uint8Array | ArrayBuffer | Blob;

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** A body that is no JSON. */
  raw?: { bytes: Bytes; type: string };
  /** The media type of the answer; JSON, unless it is set. */
  accept?: string;
  /** Makes a POST safe to repeat. */
  idempotencyKey?: string;
  traceparent?: string;
}

const retryForMsDefault = 20_000;
const firstWaitMs = 250;
const waitMsMax = 4_000;

type Outcome = { retry: false; value: unknown } | { retry: true; error: HeliographError };
type Credential = { token?: string; headers: Record<string, string> };

/** Sends calls: with the credential, within their time, and again where that is safe. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
  }

  /** The parsed body of a 2xx answer; undefined for a 204. Throws a {@link HeliographError}, or the signal's reason. */
  async call(call: Call): Promise<unknown> {
    const retryForMs = call.retryForMs ?? this.#options.retryForMs ?? retryForMsDefault;
    // One that may have arrived is repeated only where a repeat does nothing more.
    const isRepeatable = call.method !== 'POST' || call.idempotencyKey !== undefined;
    let endsAt: number | undefined;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(call, isRepeatable, attempt);
      if (!outcome.retry) return outcome.value;
      const now = performance.now();
      endsAt ??= now + retryForMs;
      const waitMs = waitBefore(attempt, outcome.error, endsAt - now);
      if (now >= endsAt || waitMs > endsAt - now) throw outcome.error;
      await sleep(waitMs, call.signal);
    }
  }

  /**
   * An answer that is read as it comes: one attempt, which only `signal` ends. Throws what {@link call} throws.
   */
  async open(call: Call & { signal: AbortSignal }): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#answer(call, call.signal).catch((cause: unknown) => {
      call.signal.throwIfAborted();
      throw new ConnectionError('The gateway could not be reached.', { cause });
    });
    if (response.ok && response.body !== null) return response.body;
    throw errorOf(response, await response.text());
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
      const response = await this.#answer(call, ending.signal);
      const text = await response.text();
      if (response.ok) return { retry: false, value: text === '' ? undefined : JSON.parse(text) };
      // The attempt before got through after all, and only its answer was lost.
      if (response.status === 404 && call.method === 'DELETE' && attempt > 0) {
        return { retry: false, value: undefined };
      }
      const error = errorOf(response, text, idempotencyKey);
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
      if (!isRepeatable && !neverArrived(error)) throw failure;
      return { retry: true, error: failure };
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Once more where the token was refused and there is another one: nothing was done under the first. */
  async #answer(call: Call, signal: AbortSignal): Promise<Response> {
    const credential = await this.#credential();
    const response = await this.#send(call, credential, signal);
    if (response.status !== 401 || typeof this.#options.token !== 'function') return response;
    const renewed = await this.#credential(credential.token);
    if (renewed.token === credential.token) return response;
    await response.body?.cancel();
    return this.#send(call, renewed, signal);
  }

  #send(
    { method, path, query = {}, body, raw, accept, idempotencyKey, traceparent }: Call,
    { headers }: Credential,
    signal: AbortSignal,
  ) {
    const url = new URL(this.#baseUrl + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const send = this.#options.fetch ?? fetch;
    return send(url.href, {
      method,
      headers: {
        Accept: accept ?? 'application/json',
        ...headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(raw && { 'Content-Type': raw.type }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      body:
        (raw?.bytes as Uint8Array<ArrayBuffer> | undefined) ??
        (body === undefined ? null : JSON.stringify(body)),
      redirect: 'manual',
      signal,
    });
  }

  async #credential(refused?: string): Promise<Credential> {
    const { apiKey, token: given } = this.#options;
    if (apiKey !== undefined) return { headers: { 'X-API-Key': apiKey } };
    if (given === undefined) return { headers: {} };
    const token = typeof given === 'function' ? await given(refused) : given;
    if (token === null) return { headers: {} };
    return { token, headers: { Authorization: `Bearer ${token}` } };
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

/** No connection came about, so the gateway has heard nothing. */
function neverArrived(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } | undefined };
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(cause?.code));
}

/** What the gateway asks for, or else a random part of a wait that doubles; the last attempt is at the very end. */
function waitBefore(attempt: number, error: HeliographError, leftMs: number): number {
  const asked = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined;
  if (typeof asked === 'number') return asked * 1000;
  const waitMs = Math.min(waitMsMax, firstWaitMs * 2 ** attempt);
  return Math.min(leftMs, waitMs * (0.5 + Math.random() / 2));
}

/** Seconds, from a number of them or from a date. */
function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function errorOf({ status, headers }: Response, text: string, idempotencyKey?: string) {
  return apiError(status, parsed(text), {
    requestId: headers.get('X-Request-Id') ?? '',
    retryAfterSeconds: retryAfterSeconds(headers.get('Retry-After')),
    idempotencyKey,
  });
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
