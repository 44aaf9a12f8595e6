import { ApiKeys } from './api-keys.ts';
import type { Usage } from './api-types.ts';
import { Events } from './events.ts';
import { Messages } from './messages.ts';
import { Numbers } from './numbers.ts';
import { OptOuts } from './opt-outs.ts';
import { AccountSettings } from './settings.ts';
import { type CallOptions, type ClientOptions, Transport } from './transport.ts';
import { Webhooks } from './webhooks.ts';

/**
 * The client of one gateway. Every call is repeated after network errors, 429 and 5xx where a repeat is safe; a send
 * always is, since all its attempts carry one idempotency key.
 */
export class Heliograph {
  readonly messages: Messages;
  readonly numbers: Numbers;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly apiKeys: ApiKeys;
  readonly settings: AccountSettings;
  readonly optOuts: OptOuts;
  readonly #transport: Transport;

  /** Throws when there is neither an `apiKey` nor a `token`, or when `baseUrl` is no URL. */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.messages = new Messages(this.#transport, '/v1/messages');
    this.numbers = new Numbers(this.#transport, '/v1/numbers');
    this.webhooks = new Webhooks(this.#transport, '/v1/webhooks');
    this.events = new Events(this.#transport, '/v1/events');
    this.apiKeys = new ApiKeys(this.#transport, '/v1/auth/api-keys');
    this.settings = new AccountSettings(this.#transport, '/v1/settings');
    this.optOuts = new OptOuts(this.#transport, '/v1/opt-outs');
  }

  /** How much of this month's quota is used, in all, by number and by day. */
  async usage(options: CallOptions = {}): Promise<Usage> {
    return (await this.#transport.call({ ...options, method: 'GET', path: '/v1/usage' })) as Usage;
  }
}
