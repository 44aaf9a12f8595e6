import { settingsOf } from '../../settings/worker-settings.ts';
import { mayBePrivate, webhookUrlRules } from './webhook-url.ts';

/**
 * `fetch` for addresses that customers name. A name may resolve to an address of a private network. On the platform
 * `global_fetch_strictly_public` refuses that. On one machine the network binding of the local gateway (`PUBLIC_NETWORK`)
 * refuses it when it connects. Hosts that the operator lists by name are called without it.
 */
export function tenantFetch(env: Env, url: string, init: RequestInit): Promise<Response> {
  const network = env.PUBLIC_NETWORK;
  const settings = settingsOf(env);
  if (network === undefined || mayBePrivate(url, webhookUrlRules(settings))) return fetch(url, init);
  const headers = new Headers(init.headers);
  // As the platform says where a request comes from.
  headers.set('CF-Worker', URL.parse(settings.PUBLIC_URL ?? '')?.hostname ?? 'localhost');
  return network.fetch(url, { ...init, headers });
}
