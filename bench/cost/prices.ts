/**
 * The price list of Cloudflare Workers Paid, in US dollars beyond the included amounts, as its documentation had it in
 * August to October 2026: developers.cloudflare.com, pages workers/platform/pricing, durable-objects/platform/pricing,
 * d1/platform/pricing, queues/platform/pricing and r2/pricing. The included amounts ($5 a month) are left out: they matter below
 * some two million messages a month, and not to what one message more costs.
 */
export const prices = {
  /** A request to the Worker, and each invocation of a queue's consumer. */
  workerRequest: 0.3e-6,
  /** A millisecond of CPU in the Worker. */
  workerCpuMs: 0.02e-6,
  /** A call, an alarm or an upgrade that an object takes. */
  objectRequest: 0.15e-6,
  /** So many frames that an object receives are one request; what it sends is free. */
  framesAnObjectRequest: 20,
  /** A GB-second in which an object is awake; always counted as 128 MB. */
  objectGbSecond: 12.5e-6,
  objectGb: 0.128,
  /** The same in objects and in D1; an index that a row is in counts as a row, and so does setting an alarm. */
  rowWritten: 1e-6,
  rowRead: 0.001e-6,
  /** Writing, reading or deleting 64 KB of a queue's message. */
  queueOperation: 0.4e-6,
  /** Class A and class B operations of R2. */
  bucketWrite: 4.5e-6,
  bucketRead: 0.36e-6,
} as const;
