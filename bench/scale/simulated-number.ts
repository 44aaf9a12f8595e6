import type { WebSocket } from 'ws';
import {
  bridgeProtocolVersion,
  type NetworkReceipt,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
  type OutboundMessage,
  unacknowledgedFramesMax,
} from '../../src/contract/bridge/bridge-frames.ts';

/** Receipts come so long after the acknowledgement. */
const deliveredAfterMs = 100;
const readAfterMs = 250;

/** The link of one number: says what a bridge with a healthy session would say. */
export class SimulatedNumber {
  isConnected = false;
  handed = 0;
  /** Messages that the edge knows were read. */
  read = 0;
  readonly #socket: WebSocket;
  readonly #phone: string;
  #seq = 0;
  /** Facts that were said and are not acknowledged, and those that wait for it. */
  #said: { seq: number; fact: NumberFact }[] = [];
  readonly #waiting: NumberFact[] = [];

  constructor(
    socket: WebSocket,
    { bridgeId, epoch, phone }: { bridgeId: string; epoch: number; phone: string },
  ) {
    this.#socket = socket;
    this.#phone = phone;
    socket.on('open', () =>
      this.#say({ type: 'link.hello', version: bridgeProtocolVersion, bridgeId, epoch }),
    );
    socket.on('message', (data) => {
      const text = String(data);
      if (text !== 'pong') this.#hear(JSON.parse(text));
    });
  }

  #hear(frame: NumberDownFrame): void {
    switch (frame.type) {
      case 'link.welcome':
        this.#say({ type: 'link.ready' });
        return;
      case 'session.pair':
      case 'session.start':
        this.#tell({ type: 'session.connected', phoneNumber: this.#phone, at: new Date().toISOString() });
        return;
      case 'send':
        this.#acknowledge(frame.messages);
        return;
      case 'fact.ack':
        this.#taken(frame.seq);
        return;
      case 'fact.refused':
        throw new Error(`The edge refused a fact: ${frame.reason}.`);
    }
  }

  #acknowledge(messages: readonly OutboundMessage[]): void {
    this.handed += messages.length;
    const at = new Date().toISOString();
    this.#tell({
      type: 'send.outcomes',
      items: messages.map(({ messageId, handOver }) => ({
        outcome: 'sent',
        messageId,
        handOver,
        at,
        ackMs: 1,
      })),
    });
    setTimeout(() => this.#receipts(messages, 'delivered'), deliveredAfterMs);
    setTimeout(() => this.#receipts(messages, 'read'), readAfterMs);
  }

  #receipts(messages: readonly OutboundMessage[], kind: NetworkReceipt['kind']): void {
    const at = new Date().toISOString();
    this.#tell({
      type: 'receipts',
      items: messages.map(({ providerMessageId, to }) => ({
        providerMessageId,
        kind,
        at,
        isGroup: false,
        recipient: to,
      })),
    });
  }

  #tell(fact: NumberFact): void {
    this.#waiting.push(fact);
    this.#sayMore();
  }

  #sayMore(): void {
    while (this.#said.length < unacknowledgedFramesMax) {
      const fact = this.#waiting.shift();
      if (fact === undefined) return;
      this.#seq += 1;
      const after = this.#said.at(-1)?.seq ?? 0;
      this.#said.push({ seq: this.#seq, fact });
      this.#say({ type: 'fact', seq: this.#seq, after, fact });
    }
  }

  #taken(upTo: number): void {
    for (const { fact } of this.#said.filter(({ seq }) => seq <= upTo)) {
      if (fact.type === 'session.connected') this.isConnected = true;
      if (fact.type === 'receipts') this.read += fact.items.filter(({ kind }) => kind === 'read').length;
    }
    this.#said = this.#said.filter(({ seq }) => seq > upTo);
    this.#sayMore();
  }

  #say(frame: NumberUpFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }
}
