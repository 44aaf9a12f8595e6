import { runInDurableObject } from 'cloudflare:test';
import {
  bridgeProtocolVersion,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
} from '../../../src/contract/bridge/bridge-frames.ts';
import type { PhoneNumber } from '../../../src/durable/phone-number/phone-number.ts';
import { phoneNumber } from './fake-bridge.ts';

type Outgoing = Extract<NumberDownFrame, { type: 'send' }>['messages'][number];

/** The bridge's end of a link to an object that is hosted in Node, where nobody opens sockets. */
export class NodeBridge {
  readonly numberId: string;
  /** What it was handed and has not answered, in order. */
  readonly handed: Outgoing[] = [];
  /** Hears of each message as it comes. */
  onSend: (message: Outgoing) => void = () => {};
  #seq = 0;
  #identity: unknown;

  private constructor(numberId: string) {
    this.numberId = numberId;
    const openedAt = Date.now();
    const bridge = { epoch: 1, leasedTo: 'bridge', bridgeId: 'bridge', version: bridgeProtocolVersion };
    this.#identity = { ...bridge, readyAt: openedAt, isReportOnly: false, openedAt };
  }

  /** Pairs the number, which is new, and connects it. */
  static async connect(accountId: string, numberId: string, phone: string): Promise<NodeBridge> {
    const bridge = new NodeBridge(numberId);
    await phoneNumber(numberId).provision({ accountId, numberId });
    await phoneNumber(numberId).pair({ method: 'qr' });
    await runInDurableObject(phoneNumber(numberId), (_, { storage }) => {
      (storage as unknown as { sockets: object[] }).sockets.push(bridge.#socket);
    });
    await bridge.#say({ type: 'link.ready' });
    await bridge.tell({ type: 'session.connected', phoneNumber: phone, at: new Date().toISOString() });
    return bridge;
  }

  /** Resolves once the object has taken it, or has closed the link. */
  async tell(fact: NumberFact): Promise<void> {
    this.#seq += 1;
    await this.#say({ type: 'fact', seq: this.#seq, after: 0, fact });
  }

  async #say(frame: NumberUpFrame): Promise<void> {
    await runInDurableObject<PhoneNumber, void>(
      phoneNumber(this.numberId) as unknown as DurableObjectStub<PhoneNumber>,
      (instance) => instance.webSocketMessage(this.#socket, JSON.stringify(frame)),
    );
  }

  readonly #socket = {
    readyState: 1,
    send: (text: string) => this.#hear(JSON.parse(text)),
    close: () => {},
    serializeAttachment: (identity: unknown) => {
      this.#identity = identity;
    },
    deserializeAttachment: () => this.#identity,
  } as unknown as WebSocket;

  #hear(frame: NumberDownFrame): void {
    if (frame.type !== 'send') return;
    for (const message of frame.messages) {
      this.handed.push(message);
      this.onSend(message);
    }
  }
}
