import { randomUUID } from 'node:crypto';
import type { Pacing } from '../../src/contract/numbers/sender-settings.ts';
import type { LocalSecrets } from '../../src/local/home/secrets.ts';
import { requestJson } from '../../src/local/json-client.ts';
import { waitUntil } from '../../src/local/wait-until.ts';

const pairsWithinMs = 30_000;

export interface Message {
  messageId: string;
  status: string;
}

/** A customer with an account of its own, who does everything through the front door. */
export class BenchCustomer {
  readonly edgeUrl: string;
  accountId = '';
  apiKey = '';
  #token = '';

  private constructor(edgeUrl: string) {
    this.edgeUrl = edgeUrl;
  }

  static async join(edgeUrl: string, secrets: LocalSecrets): Promise<BenchCustomer> {
    const customer = new BenchCustomer(edgeUrl);
    const [email, password] = [`${randomUUID()}@example.com`, `pass-${randomUUID()}`];
    await requestJson(edgeUrl, 'POST', '/v1/auth/sign-up', {
      headers: { authorization: `Bearer ${secrets.bootstrapToken}` },
      body: { email, password, name: 'Bench', accountName: 'Bench' },
    });
    const { token, account } = await requestJson<{ token: string; account: { id: string } }>(
      edgeUrl,
      'POST',
      '/v1/auth/login',
      { body: { email, password } },
    );
    customer.#token = token;
    customer.accountId = account.id;
    customer.apiKey = (
      await customer.admin<{ key: string }>('POST', '/v1/auth/api-keys', { name: 'Bench' })
    ).key;
    return customer;
  }

  admin<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return requestJson(this.edgeUrl, method, path, {
      headers: { authorization: `Bearer ${this.#token}` },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** A number that asks to be paired; its id. */
  async addNumber(pacing: Partial<Pacing>): Promise<string> {
    const { numberId } = await this.admin<{ numberId: string }>('POST', '/v1/numbers', { label: 'Bench' });
    await this.admin('PATCH', `/v1/numbers/${numberId}`, { pacing });
    await this.admin('POST', `/v1/numbers/${numberId}/pair`, { method: 'qr' });
    return numberId;
  }

  /** A number that is linked to a simulated phone and connected; its id. */
  async pairNumber(simulatorUrl: string, phoneNumber: string, pacing: Partial<Pacing>): Promise<string> {
    const numberId = await this.addNumber(pacing);
    const qr = await waitUntil('No QR code was shown', pairsWithinMs, async () => {
      const pairing = await this.admin<{ qr: string | null }>('GET', `/v1/numbers/${numberId}/pairing`).catch(
        () => null,
      );
      return pairing?.qr ?? null;
    });
    await requestJson(simulatorUrl, 'POST', `/admin/mock-phone/scan-qr?phone=${phoneNumber}`, { body: qr });
    await waitUntil('The number did not connect', pairsWithinMs, async () => {
      const { state } = await this.admin<{ state: string }>('GET', `/v1/numbers/${numberId}`);
      return state === 'connected' ? true : null;
    });
    return numberId;
  }

  addWebhook(
    url: string,
    more: { numberIds?: string[]; events?: string[] } = {},
  ): Promise<{ id: string; secret: string }> {
    return this.admin('POST', '/v1/webhooks', { url, numberIds: 'all', events: 'all', ...more });
  }

  /** Sends a text under an Idempotency-Key of its own. */
  send(to: string, text: string): Promise<Message> {
    return requestJson(this.edgeUrl, 'POST', '/v1/messages/send', {
      headers: { 'x-api-key': this.apiKey, 'idempotency-key': randomUUID() },
      body: { to, text },
    });
  }

  /** The newest messages with all of these words. */
  search(words: string): Promise<{ data: Message[] }> {
    return requestJson(this.edgeUrl, 'GET', `/v1/messages?q=${encodeURIComponent(words)}`, {
      headers: { 'x-api-key': this.apiKey },
    });
  }

  message(messageId: string): Promise<Message> {
    return requestJson(this.edgeUrl, 'GET', `/v1/messages/${messageId}`, {
      headers: { 'x-api-key': this.apiKey },
    });
  }
}
