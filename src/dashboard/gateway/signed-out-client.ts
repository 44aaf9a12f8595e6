import { Heliograph } from '../../sdk/index.ts';

/** What can be asked without being signed in: how to get in. */
export const signedOutClient = new Heliograph({
  baseUrl: window.location.origin,
  token: () => null,
  retryForMs: 10_000,
});
