import { expect } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { type AcceptedMessage, Customer } from '../stage/customer.ts';
import { GatewayProcess } from '../stage/gateway-process.ts';
import { expectEveryStepOnce, expectOnceOnTheNetwork, expectReceivedOnce } from '../stage/promises.ts';

export interface ShownBridge {
  bridgeId: string;
  name: string | null;
  release: string | null;
  state: string;
  numbers: number;
}

/** A gateway whose bridges come and go, and a customer whose numbers lie with them. */
export class FleetJourney {
  readonly gateway: GatewayProcess;
  #customer: Customer | null = null;

  private constructor(gateway: GatewayProcess) {
    this.gateway = gateway;
  }

  static async start(environment: Record<string, string>): Promise<FleetJourney> {
    const gateway = await GatewayProcess.start({
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
      // What a queue lost with its process is found soon.
      QUEUE_GRACE_SECONDS: '2',
      KEY_RATE_PER_SECOND: '1000',
      KEY_RATE_BURST: '1000',
      // Some tests pair numbers until each bridge has one.
      PLANS: JSON.stringify({ free: { numbers: 'unlimited' } }),
      ...environment,
    });
    return new FleetJourney(gateway);
  }

  get customer(): Customer {
    if (this.#customer === null) throw new Error('nobody has joined');
    return this.#customer;
  }

  async leave(): Promise<void> {
    await this.#customer?.leave();
  }

  /** A new customer with so many numbers, each of which sends its share, also to one and the same phone; their phones. */
  async joinWithNumbers(numbers: number): Promise<string[]> {
    const customer = await Customer.join(this.gateway);
    this.#customer = customer;
    await customer.admin('PATCH', '/v1/settings', { stickyHours: 0 });
    const phones = [customer.phoneNumber];
    while (phones.length < numbers) phones.push(await this.addNumber());
    return phones;
  }

  /** One number more of the customer; its phone. */
  async addNumber(): Promise<string> {
    const phone = `62811${String(Date.now()).slice(-9)}`;
    await this.customer.pairNumber(phone);
    return phone;
  }

  /** The customer's numbers. */
  async numberIds(): Promise<string[]> {
    const { data } = await this.customer.admin<{ data: { numberId: string }[] }>('GET', '/v1/numbers');
    return data.map(({ numberId }) => numberId).toSorted();
  }

  /** Every number is written to once, until the network has all of it. */
  async replyToAll(phones: readonly string[]): Promise<string[]> {
    const texts = phones.map((phone) => `reply to ${phone} ${crypto.randomUUID()}`);
    for (const [index, phone] of phones.entries()) {
      const path = `/admin/phones/${this.customer.recipient}/messages`;
      await this.customer.simulator('POST', path, { to: phone, text: texts[index] });
    }
    return texts;
  }

  /** Every number of the customer has sent some of these messages. */
  async expectPromisesKept(messages: AcceptedMessage[], replies: string[]): Promise<void> {
    const senders = new Set(messages.map(({ numberId }) => numberId));
    expect([...senders].toSorted()).toEqual(await this.numberIds());
    await expectOnceOnTheNetwork(this.customer, messages);
    await expectEveryStepOnce(this.customer, messages);
    await expectReceivedOnce(this.customer, replies);
    const { callbacks } = this.customer.receiver;
    expect(callbacks.filter(({ event }) => event === 'message.failed')).toEqual([]);
  }

  /** `GET /v1/operator/bridges` and what is below it. */
  async asOperator<Answer>(method: string, path = ''): Promise<Answer> {
    const url = `http://127.0.0.1:${this.gateway.environment.PORT}/v1/operator/bridges${path}`;
    const headers = { authorization: `Bearer ${this.gateway.secrets.bootstrapToken}` };
    const response = await fetch(url, { method, headers });
    expect(response.ok, await response.clone().text()).toBe(true);
    return (await response.json()) as Answer;
  }

  async bridges(): Promise<ShownBridge[]> {
    return (await this.asOperator<{ data: ShownBridge[] }>('GET')).data;
  }

  async bridgeOf(bridgeId: string): Promise<ShownBridge | undefined> {
    return (await this.bridges()).find((bridge) => bridge.bridgeId === bridgeId);
  }

  whenEmpty(bridgeId: string): Promise<true> {
    return waitUntil('Its numbers went to nobody', async () =>
      (await this.bridgeOf(bridgeId))?.numbers === 0 ? true : null,
    );
  }

  /** A gateway that is just starting answers nothing yet. */
  whenLinked(bridgeId: string): Promise<true> {
    return waitUntil('The bridge did not come back', async () =>
      (await this.bridgeOf(bridgeId).catch(() => undefined))?.state === 'linked' ? true : null,
    );
  }
}
