import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { requestJson } from '../../../src/local/json-client.ts';
import { patienceMs, waitUntil } from '../../wait-until.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

export interface AcceptedMessage {
  messageId: string;
  /** The number that was chosen for it. */
  numberId: string;
  to: string;
  text: string;
}

export interface ArrivedMessage {
  id: string;
  from: string;
  to: string;
  text: string;
  count: number;
  at: string;
}

/** Too many at once, and the first request under this Idempotency-Key still running. */
const retriedStatuses = new Set([429, 409]);

/** What customers know of a gateway. */
type CustomersGateway = Pick<GatewayProcess, 'environment' | 'secrets'>;

/** A customer with an account of its own: a key, a paired number, a webhook, and a phone that reads what it gets. */
export class Customer {
  readonly gateway: CustomersGateway;
  readonly password = `pass-${randomUUID()}`;
  readonly email = `${randomUUID()}@example.com`;
  /** The customer's paired number and a simulated phone to write to: no other customer has them. */
  readonly phoneNumber = `62812${randomInt(1e8, 1e9)}`;
  readonly recipient = `1555${randomInt(1e6, 1e7)}`;
  receiver!: WebhookReceiver;
  apiKey = '';
  numberId = '';
  webhookSecret = '';
  token = '';

  private constructor(gateway: CustomersGateway) {
    this.gateway = gateway;
  }

  static async join(gateway: CustomersGateway): Promise<Customer> {
    const customer = new Customer(gateway);
    await customer.#join();
    return customer;
  }

  async #join(): Promise<void> {
    const { email, password } = this;
    await this.#request('POST', '/v1/auth/sign-up', {
      headers: { authorization: `Bearer ${this.gateway.secrets.bootstrapToken}` },
      body: { email, password, name: 'Test Person', accountName: 'Test Account' },
    });
    this.token = (
      await this.#request<{ token: string }>('POST', '/v1/auth/login', { body: { email, password } })
    ).token;
    this.receiver = await WebhookReceiver.start();
    const webhook = await this.admin<{ secret: string }>('POST', '/v1/webhooks', {
      url: this.receiver.url,
      numberIds: 'all',
      events: 'all',
    });
    this.webhookSecret = webhook.secret;
    this.apiKey = (await this.admin<{ key: string }>('POST', '/v1/auth/api-keys', { name: 'Server' })).key;
    await this.scriptPhone({ autoDeliver: true, autoRead: true });
    this.numberId = await this.pairNumber(this.phoneNumber);
  }

  /** Adds a number without pauses and links the simulated phone to it; its id. */
  async pairNumber(phoneNumber: string): Promise<string> {
    const { numberId } = await this.admin<{ numberId: string }>('POST', '/v1/numbers', { label: 'Sender' });
    await this.admin('PATCH', `/v1/numbers/${numberId}`, { pacing: { minDelayMs: 0, maxDelayMs: 0 } });
    await this.admin('POST', `/v1/numbers/${numberId}/pair`, { method: 'qr' });
    // Where its bridge has to give it up meanwhile, another one shows a code of its own: a person scans that one then.
    let scanned: string | null = null;
    let refusal: unknown = null;
    await waitUntil('The number did not become connected', async () => {
      const number = await this.admin<{ state: string }>('GET', `/v1/numbers/${numberId}`).catch(() => null);
      if (number?.state === 'connected') return true;
      const pairing = await this.admin<{ qr: string | null }>('GET', `/v1/numbers/${numberId}/pairing`).catch(
        () => null,
      );
      const qr = pairing?.qr ?? null;
      if (qr === null || qr === scanned) return null;
      try {
        await this.simulator('POST', `/admin/mock-phone/scan-qr?phone=${phoneNumber}`, qr);
        scanned = qr;
      } catch (error) {
        // Its connection may be gone, and the next code on its way.
        refusal = error;
      }
      return null;
    }).catch(async (error: Error) => {
      const [number, pairing] = await Promise.all(
        ['', '/pairing'].map((path) => this.admin('GET', `/v1/numbers/${numberId}${path}`).catch(String)),
      );
      const state = JSON.stringify({ number, pairing, scanned, refusal: String(refusal) });
      throw new Error(`${error.message}\n${state}`);
    });
    return numberId;
  }

  /** Waits until the number is in this state. */
  whenState(state: string, numberId = this.numberId): Promise<true> {
    return waitUntil(`The number did not become ${state}`, async () => {
      const number = await this.admin<{ state: string }>('GET', `/v1/numbers/${numberId}`).catch(() => null);
      return number?.state === state ? true : null;
    });
  }

  admin<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#request(method, path, {
      headers: { authorization: `Bearer ${this.token}` },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Sends a file as CSV. */
  async upload<Answer>(path: string, csv: string): Promise<Answer> {
    const response = await this.#fetch(path, { method: 'POST', body: csv });
    return (await response.json()) as Answer;
  }

  /** A file, as text. */
  async download(path: string): Promise<string> {
    return (await this.#fetch(path, {})).text();
  }

  async #fetch(path: string, request: RequestInit): Promise<Response> {
    const response = await fetch(`http://127.0.0.1:${this.gateway.environment.PORT}${path}`, {
      ...request,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'text/csv' },
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return response;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#request('GET', path, { headers: { 'x-api-key': this.apiKey } });
  }

  /** The network's own side. */
  simulator<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const origin = `http://127.0.0.1:${this.gateway.environment.SIMULATOR_PORT}`;
    return requestJson(origin, method, path, body === undefined ? {} : { body });
  }

  scriptPhone(script: Record<string, unknown>, phone = this.recipient): Promise<unknown> {
    return this.simulator('PATCH', `/admin/phones/${phone}`, script);
  }

  /** What arrived at the recipient's phone. */
  async arrived(): Promise<ArrivedMessage[]> {
    return (await this.simulator<{ data: ArrivedMessage[] }>('GET', `/admin/messages?to=${this.recipient}`))
      .data;
  }

  /** One request to send, as it is answered. */
  sendOnce(body: Record<string, unknown>, idempotencyKey: string, apiKey = this.apiKey): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.gateway.environment.PORT}/v1/messages/send`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
  }

  /** Sends as a careful customer does: the same request under the same Idempotency-Key until it is accepted. */
  async send(text: string, to = this.recipient): Promise<AcceptedMessage> {
    const idempotencyKey = randomUUID();
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const response = await this.sendOnce({ to, text }, idempotencyKey).catch(() => null);
      if (response?.status === 202) {
        // An answer that breaks off half-way was no answer.
        const answer = (await response.json().catch(() => null)) as {
          messageId: string;
          numberId: string;
        } | null;
        if (answer !== null) return { messageId: answer.messageId, numberId: answer.numberId, to, text };
      } else if (response !== null && response.status < 500 && !retriedStatuses.has(response.status)) {
        throw new Error(`the send was answered ${response.status}: ${await response.text()}`);
      } else await response?.body?.cancel();
      if (Date.now() >= deadline)
        throw new Error(`the send was not accepted (last answer ${response?.status})`);
      await delay(100);
    }
  }

  /**
   * Sends `count` different texts, eight at a time. `at` runs beside them once as many have been accepted as it says.
   */
  async sendMany(
    count: number,
    at?: { accepted: number; run(): void | Promise<void> },
  ): Promise<AcceptedMessage[]> {
    const accepted: AcceptedMessage[] = [];
    let next = 0;
    let ran: Promise<void> | null = null;
    const sender = async () => {
      while (next < count) {
        next += 1;
        accepted.push(await this.send(`text ${next} ${randomUUID()}`));
        if (at === undefined || ran !== null || accepted.length < at.accepted) continue;
        ran = Promise.resolve(at.run());
        // Awaited at the end: until then a rejection is not unhandled.
        ran.catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: 8 }, sender));
    await ran;
    return accepted;
  }

  /** The phone writes to the customer's number until the network has taken `count` texts, which are added to `taken`. */
  async receiveMany(count: number, taken: string[]): Promise<void> {
    while (taken.length < count) {
      const text = `reply ${randomUUID()}`;
      const path = `/admin/phones/${this.recipient}/messages`;
      await this.simulator('POST', path, { to: this.phoneNumber, text }).then(
        () => taken.push(text),
        // The network is down just now; what it did not take, nobody was promised.
        () => delay(100),
      );
    }
  }

  async leave(): Promise<void> {
    await this.receiver.stop();
  }

  #request<Answer>(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: unknown },
  ): Promise<Answer> {
    return requestJson(`http://127.0.0.1:${this.gateway.environment.PORT}`, method, path, options);
  }
}
