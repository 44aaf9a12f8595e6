/** What the load generator is to do. */
export interface LoadOrder {
  url: string;
  /** Keep-alive connections, each with one request under way. */
  connections: number;
  seconds: number;
  /** Taken in turn, as the bodies are. */
  headers: Record<string, string>[];
  /** JSON texts. */
  bodies: string[];
  /** So many requests a second, whatever they take; left out: as many as are answered. */
  perSecond?: number;
}

/** What it saw. */
export interface LoadReport {
  /** Of each answered request, from when it was to be sent to the last byte of the answer. */
  latenciesMs: number[];
  /** Answers by status. */
  statuses: Record<string, number>;
  elapsedMs: number;
}
