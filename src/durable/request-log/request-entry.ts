/** A request with an API key, as it is kept. Bodies are redacted before they come here. */
export interface RequestEntry {
  /** `req_<UUIDv7>`. */
  requestId: string;
  keyId: string;
  /** When it came; milliseconds since 1970. */
  at: number;
  method: string;
  /** The pattern of its path. */
  route: string;
  status: number;
  durationMs: number;
  /** The code of the error that it was answered with. */
  code: string | null;
  /** Of an accepted send. */
  messageId: string | null;
}

/** A request with what it sent and got, as JSON; null: that is not kept. */
export type RequestWithBodies = RequestEntry & { bodies: string | null };

/** Failures of one kind; all of them are counted, also where not each is kept. */
export interface FailureCount {
  keyId: string;
  method: string;
  route: string;
  code: string;
  status: number;
  count: number;
  lastAt: number;
  lastRequestId: string;
}

/** What one isolate has gathered for an account. */
export interface RequestBatch {
  entries: readonly RequestWithBodies[];
  failures: readonly FailureCount[];
}

export interface RequestFilter {
  keyId?: string | undefined;
  /** `404`, or `4xx`. */
  status?: string | undefined;
  code?: string | undefined;
  route?: string | undefined;
  method?: string | undefined;
  /** At that time or later, and before; milliseconds since 1970. */
  since?: number | undefined;
  until?: number | undefined;
}

/** A successful request fits a filter for its status as one that failed does. */
export function fits(filter: RequestFilter, entry: RequestEntry): boolean {
  const { keyId, status, code, route, method, since, until } = filter;
  const isClass = status?.endsWith('xx');
  return (
    (keyId === undefined || entry.keyId === keyId) &&
    (status === undefined || String(entry.status).startsWith(isClass ? status.slice(0, 1) : status)) &&
    (code === undefined || entry.code === code) &&
    (route === undefined || entry.route === route) &&
    (method === undefined || entry.method === method) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until)
  );
}

/** What is kept of a minute: beyond it failures are still counted. */
const aMinute = { successes: 300, failures: 300, bodies: 30 };

/**
 * Bounds what all isolates together may add in a minute, so that no load fills the log. In memory: after an eviction a new minute
 * begins.
 */
export class RequestBounds {
  #minute = 0;
  #left = { ...aMinute };

  /** Those that are still kept in this minute. */
  keep(entries: RequestBatch['entries'], now: number): RequestBatch['entries'] {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#left = { ...aMinute };
    }
    return entries.flatMap((entry) => {
      const kind = entry.status < 400 ? 'successes' : 'failures';
      if (this.#left[kind] === 0) return [];
      this.#left[kind] -= 1;
      if (entry.bodies === null) return [entry];
      if (this.#left.bodies === 0) return [{ ...entry, bodies: null }];
      this.#left.bodies -= 1;
      return [entry];
    });
  }
}
