/**
 * Limits of Cloudflare Workers Paid that bear on growth, as its documentation had them in August to October 2026:
 * developers.cloudflare.com, the pages d1/platform/limits, durable-objects/platform/limits,
 * durable-objects/best-practices/rules-of-durable-objects, queues/platform/limits and workers/platform/limits.
 */
export const platformLimits = {
  /** Bytes of one D1 database; cannot be raised. */
  d1Bytes: 10e9,
  /** Databases of one Cloudflare account; can be raised. */
  d1Databases: 50_000,
  /** A database answers one query at a time: statements a second at a millisecond each. */
  d1StatementsPerSecond: 1000,
  /** Bytes of one object's storage. */
  objectBytes: 10e9,
  /** Requests a second that an object takes when each writes: the documentation says 200 to 500. */
  objectWritesPerSecond: { least: 200, most: 500 },
  /** Messages a second into one queue. */
  queueMessagesPerSecond: 5000,
  /** Invocations of one consumer at a time, and connections that each may have waiting for headers. */
  consumerInvocations: 250,
  connectionsPerInvocation: 6,
} as const;
