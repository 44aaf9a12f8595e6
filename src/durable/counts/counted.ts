/** A figure that only rises, by the value of one label; `none`: it has no label. */
interface Counter {
  kind: 'counter';
  /** In the text it ends in `_total`. */
  name: string;
  help: string;
  label: string | null;
  /** Every value that the label takes: a figure that is 0 is shown too. */
  values: readonly string[];
}

/** How long something took, by buckets. */
interface Histogram {
  kind: 'histogram';
  name: string;
  help: string;
  /** The upper ends of the buckets in seconds, rising; one without an end is behind them. */
  seconds: readonly number[];
}

/**
 * Everything that the gateway counts, for all accounts together: no label names one. `/metrics` shows it, and
 * docs/operating/self-hosting.md says what each figure means.
 */
export const counted = {
  messages: {
    kind: 'counter',
    name: 'heliograph_messages',
    help: 'Steps that messages of all accounts have taken.',
    label: 'step',
    values: ['queued', 'sent', 'delivered', 'read', 'failed', 'received'],
  },
  sendRequests: {
    kind: 'counter',
    name: 'heliograph_send_requests',
    help: 'Requests to send a message or a batch, by the status of their answer.',
    label: 'status',
    values: '200 202 400 401 402 403 404 409 413 415 422 429 499 500 503 other'.split(' '),
  },
  acceptSeconds: {
    kind: 'histogram',
    name: 'heliograph_send_accept_seconds',
    help: 'From the request to send until its 202.',
    seconds: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  sendSeconds: {
    kind: 'histogram',
    name: 'heliograph_message_sent_seconds',
    help: 'From the 202 of a message, or its sendAt, until the network had it.',
    seconds: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600],
  },
  webhookAttempts: {
    kind: 'counter',
    name: 'heliograph_webhook_attempts',
    help: 'Attempts at deliveries to webhooks. retry: it failed and another follows; failed: none does.',
    label: 'outcome',
    values: ['delivered', 'retry', 'failed'],
  },
  webhookRetries: {
    kind: 'counter',
    name: 'heliograph_webhook_retries',
    help: 'Those of them that were not the first at their delivery.',
    label: null,
    values: [''],
  },
  webhookSeconds: {
    kind: 'histogram',
    name: 'heliograph_webhook_delivery_seconds',
    help: 'From an event until a webhook has taken it, of those that it takes at the first attempt.',
    seconds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
} as const satisfies Record<string, Counter | Histogram>;

type Counted = typeof counted;
type NamesOf<Kind> = { [Name in keyof Counted]: Counted[Name] extends Kind ? Name : never }[keyof Counted];
export type CounterName = NamesOf<{ kind: 'counter' }>;
export type HistogramName = NamesOf<{ kind: 'histogram' }>;

/** What was counted, by the name that a figure has in the text; labels included. Sums of several add up. */
export type Counts = Record<string, number>;

/** As OpenMetrics writes the end of a bucket. */
const endText = (seconds: number) => (Number.isInteger(seconds) ? `${seconds}.0` : `${seconds}`);

/** The name of a counter's figure. A value that is none of its own counts as its last one. */
export function counterKey(name: CounterName, value: string): string {
  const { name: family, label, values }: Counter = counted[name];
  if (label === null) return `${family}_total`;
  const known = values.includes(value) ? value : values.at(-1);
  return `${family}_total{${label}="${known}"}`;
}

/** The names of a histogram's figures, as they stand in the text: buckets, count, sum. */
export function histogramKeys(name: HistogramName): { buckets: string[]; count: string; sum: string } {
  const { name: family, seconds } = counted[name];
  const buckets = [...seconds.map(endText), '+Inf'].map((end) => `${family}_bucket{le="${end}"}`);
  return { buckets, count: `${family}_count`, sum: `${family}_sum` };
}

/**
 * How long counts are gathered. An object stays awake meanwhile, so its time is short. A request's isolate may wait longer,
 * which costs nothing. Tests shorten both.
 */
export const gatherLimits = { objectMs: 2_000, requestMs: 5_000 };
