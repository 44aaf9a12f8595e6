import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { normalisePhone } from '../wire/addresses.ts';

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

/** The phone that a path names, made when it is new. Refusal: 400 no phone number. */
export function namedPhone(network: Network, text: string | undefined): User {
  const digits = normalisePhone(text ?? '');
  if (!digits) throw new Refusal(400, 'The path must name a phone number of 7 to 15 digits.');
  return network.users.ensure(digits);
}

/** A number that has linked devices. Refusals: 400 no phone number, 404 nothing is linked. */
export function pairedUser(network: Network, text: string | undefined): User {
  const user = namedPhone(network, text);
  if (user.devices.size === 0) throw new Refusal(404, 'No device is linked to this number.');
  return user;
}
