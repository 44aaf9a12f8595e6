/** What the load generator is to do. */
export interface LoadOrder {
  url: string;
  /** Keep-alive connections, each with one request under way. */
  connections: number;
  seconds: number;
  headers: Record<string, string>;
  /** JSON texts, taken in turn. */
  bodies: string[];
}

/** What it saw. */
export interface LoadReport {
  /** Of each answered request, from its sending to the last byte of the answer. */
  latenciesMs: number[];
  /** Answers by status. */
  statuses: Record<string, number>;
  elapsedMs: number;
}
