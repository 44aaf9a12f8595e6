import { Heliograph } from '../../sdk/index.ts';
import { session } from './session.ts';

/** The only way to the gateway. */
export const gateway = new Heliograph({
  baseUrl: window.location.origin,
  token: (refused) => session.token(refused),
  // A page that waits longer says so itself, and can be told to try again.
  retryForMs: 6_000,
  timeoutMs: 20_000,
});
