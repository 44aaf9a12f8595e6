import type { Network } from '../network.ts';

type AdminRequest = {
  network: Network;
  /** The named parts of the path, decoded. */
  path: Record<string, string>;
  query: URLSearchParams;
  body: Buffer;
  /** The body as JSON; an empty one is `{}`. Throws a refusal (400) when it is none. */
  json(): unknown;
};

type AdminAnswer = { status?: number; body: unknown };

/** One call of the admin API. `:name` in the path matches one segment. */
export type AdminRoute = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  answer(request: AdminRequest): AdminAnswer | Promise<AdminAnswer>;
};
