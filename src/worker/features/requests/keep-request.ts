import type { Context } from 'hono';
import type { Refusal } from '../../../contract/errors.ts';
import { shortNumber } from '../../../durable/log.ts';
import type {
  FailureCount,
  RequestBatch,
  RequestEntry,
  RequestWithBodies,
} from '../../../durable/request-log/request-entry.ts';
import type { AppEnv } from '../../app-env.ts';
import { afterAnswer } from '../../http/after-answer.ts';
import { readBodyOf } from './read-body.ts';

const depthMax = 6;
const itemsMax = 20;
const fieldsMax = 40;
const nameCharactersMax = 64;
/** A body that is larger than this after all is not kept. */
const charactersMax = 2_000;

/** Of these fields only the presence is told, whatever stands in them. */
const secretName = /secret|password|token|authorization|cookie|credential|signature|api.?key|^key$|^code$/i;
/** Fields that hold words of a closed list, or names of ours. */
const wordFields = new Set([
  'type',
  'status',
  'direction',
  'method',
  'mode',
  'action',
  'actions',
  'events',
  'event',
  'scopes',
  'scope',
  'role',
  'kind',
  'kinds',
  'by',
  'limit',
  'dryRun',
  'onPinFailure',
  'mimetype',
  'path',
  'filter',
  'cap',
]);
const id = /^((msg|evt|req)_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,15}(Z|[+-]\d{2}:?\d{2})$/;
const word = /^[\w.:/*-]{1,64}$/;
const manyDigits = /\d{7,}/g;

/**
 * The part of a request or answer that may be stored: its shape, ids, times and words from closed lists. No text, secret or whole
 * phone number.
 */
export function redacted(value: unknown): unknown {
  const kept = reduced(value, null, 0);
  return JSON.stringify(kept ?? null).length > charactersMax ? '[too large to be kept]' : kept;
}

/** A sentence of ours, in which a phone number may be quoted. */
export const redactedSentence = (sentence: string): string => sentence.replaceAll(manyDigits, shortNumber);

function reduced(value: unknown, name: string | null, depth: number): unknown {
  if (name !== null && secretName.test(name)) return '[secret]';
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Math.abs(value) < 10_000_000 ? value : '[number]';
  if (typeof value === 'string') return reducedText(value, name);
  if (typeof value !== 'object') return undefined;
  // Their names are told; what stands in them is mostly credentials.
  if (name === 'headers' && !Array.isArray(value)) {
    const names = Object.keys(value).slice(0, fieldsMax).map(reducedName);
    return Object.fromEntries(names.map((header) => [header, '[secret]']));
  }
  if (depth === depthMax) return '[deeper]';
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsMax).map((item) => reduced(item, name, depth + 1));
    return value.length > itemsMax ? [...items, `[${value.length - itemsMax} more]`] : items;
  }
  const fields = Object.entries(value).slice(0, fieldsMax);
  return Object.fromEntries(
    fields.map(([field, item]) => [reducedName(field), reduced(item, field, depth + 1)]),
  );
}

const reducedName = (name: string) => redactedSentence(name.slice(0, nameCharactersMax));

function reducedText(text: string, name: string | null): string {
  if (id.test(text) || time.test(text)) return text;
  if (name !== null && wordFields.has(name) && word.test(text)) return redactedSentence(text);
  const digits = text.replaceAll(/[\s()+-]/g, '');
  if (/^\d{7,20}$/.test(digits)) return shortNumber(digits);
  return `[${text.length} characters]`;
}

/** An isolate that was to tell what it has gathered and did not, will not do so any more. */
const forgottenMs = 20_000;
/** Between two looks whether it is time: a failure brings it forward. */
const lookMs = 500;

/** By account. Of this isolate alone: it is lost with it. */
const gathered = new Map<string, GatheredRequests>();

/**
 * Gathers a request for its account's request log, which is reported after the responses. Only requests with a key that the
 * account knows are gathered: all others reach no object.
 */
export function keepRequest(c: Context<AppEnv>, accountId: string, entry: RequestEntry): void {
  const now = Date.now();
  let open = gathered.get(accountId);
  if (open === undefined || now - open.openedAt > forgottenMs) {
    open = new GatheredRequests(now);
    gathered.set(accountId, open);
    const opened = open;
    afterAnswer(c, 'requests.not_kept', () => tell(c.env, accountId, opened));
  }
  open.add(entry, now, () => JSON.stringify(bodiesOf(c)));
}

async function tell(env: Env, accountId: string, open: GatheredRequests): Promise<void> {
  while (Date.now() < open.dueAt) await scheduler.wait(Math.min(lookMs, open.dueAt - Date.now()));
  if (gathered.get(accountId) === open) gathered.delete(accountId);
  // Not repeated: a second row would be a second telling.
  await env.REQUEST_LOG.getByName(accountId).take(open.batch);
}

/** What a failed request sent and got, redacted. */
export interface RequestBodies {
  query: Record<string, unknown> | null;
  body: unknown;
  answer: unknown;
}

function bodiesOf(c: Context<AppEnv>): RequestBodies {
  const query = c.req.query();
  const refusal = c.get('refusal');
  return {
    query: Object.keys(query).length === 0 ? null : (redacted(query) as RequestBodies['query']),
    body: redacted(readBodyOf(c.req.raw)),
    answer: refusal === undefined ? null : answerOf(refusal),
  };
}

function answerOf({ code, message, details = [] }: Refusal) {
  return {
    code,
    message: redactedSentence(message),
    details: details.map((detail) => {
      const sentence = 'message' in detail ? { message: redactedSentence(String(detail.message)) } : {};
      return { ...(redacted(detail) as object), ...sentence };
    }),
  };
}

/** What one isolate keeps of an account's requests at a time. All failures are counted. */
const successesMax = 20;
const failuresMax = 60;
const bodiesMax = 10;
const kindsMax = 100;

/** So long requests are gathered, so that several share a row: less where one has failed, which somebody may look for. */
const successMs = 5_000;
const failureMs = 1_000;

/** What an isolate has gathered of an account's requests since it last told. */
class GatheredRequests {
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
