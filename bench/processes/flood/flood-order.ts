/** What a flood is to be. */
export interface FloodOrder {
  url: string;
  /** Keep-alive connections, each with one request under way: what finds none free is sent as soon as one is. */
  connections: number;
  perSecond: number;
  seconds: number;
  /** Taken in turn. */
  headers: Record<string, string>[];
  /** JSON text. */
  body: string;
}

/** What it saw. */
export interface FloodReport {
  /** Answers by status. */
  statuses: Record<string, number>;
  answered: number;
  /** From the first request to the last answer. */
  elapsedMs: number;
  /** CPU time that the flood itself has taken. */
  cpuMs: number;
}
