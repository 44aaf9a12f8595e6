import type {
  FailureCount,
  RequestBatch,
  RequestEntry,
  RequestWithBodies,
} from '../../../durable/request-log/request-entry.ts';

/** What one isolate keeps of an account's requests at a time. All failures are counted. */
const successesMax = 20;
const failuresMax = 60;
const bodiesMax = 10;
const kindsMax = 100;

/** So long requests are gathered, so that several share a row: less where one has failed, which somebody may look for. */
const successMs = 5_000;
const failureMs = 1_000;

/** What an isolate has gathered of an account's requests since it last told. */
export class GatheredRequests {
  readonly openedAt: number;
  readonly #entries: RequestWithBodies[] = [];
  readonly #failures = new Map<string, FailureCount>();
  #kept = { successes: 0, failures: 0, bodies: 0 };
  #dueAt: number;

  constructor(now: number) {
    this.openedAt = now;
    this.#dueAt = now + successMs;
  }

  /** When it is to be told; milliseconds since 1970. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** `bodiesOf`: asked only where they are kept. */
  add(entry: RequestEntry, now: number, bodiesOf: () => string): void {
    if (entry.status < 400) {
      if (this.#kept.successes === successesMax) return;
      this.#kept.successes += 1;
      this.#entries.push({ ...entry, bodies: null });
      return;
    }
    this.#dueAt = Math.min(this.#dueAt, now + failureMs);
    this.#count(entry);
    if (this.#kept.failures === failuresMax) return;
    this.#kept.failures += 1;
    const hasBodies = this.#kept.bodies < bodiesMax;
    if (hasBodies) this.#kept.bodies += 1;
    this.#entries.push({ ...entry, bodies: hasBodies ? bodiesOf() : null });
  }

  get batch(): RequestBatch {
    return { entries: this.#entries, failures: [...this.#failures.values()] };
  }

  #count({ keyId, method, route, code, status, at, requestId }: RequestEntry): void {
    const kind = [keyId, method, route, code].join(' ');
    const known = this.#failures.get(kind);
    if (known === undefined && this.#failures.size === kindsMax) return;
    this.#failures.set(kind, {
      keyId,
      method,
      route,
      code: code ?? '',
      status,
      count: (known?.count ?? 0) + 1,
      lastAt: at,
      lastRequestId: requestId,
    });
  }
}
