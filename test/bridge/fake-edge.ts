import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  bridgeProtocolVersion,
  type ControlDownFrame,
  controlUpFrameSchema,
  type InboundMessage,
  linkCloseCodes,
  type NetworkReceipt,
  type NumberDownFrame,
  type NumberFact,
  numberUpFrameSchema,
  type OutboundMessage,
  type SendOutcome,
} from '../../src/contract/bridge-frames.ts';

export const bridgeToken = 'token-of-the-test-bridges';

type FactOf<Type extends NumberFact['type']> = Extract<NumberFact, { type: Type }>;

/** One message as the fake PhoneNumber object knows it. */
interface Sent {
  message: OutboundMessage;
  /** Outcomes in the order in which they were first stored. */
  outcomes: SendOutcome[];
}

/** Plays one PhoneNumber object: strict about frames, with a vault in memory. */
export class FakeNumber {
  readonly numberId = uuidv7();
  readonly vault = new Map<string, string>();
  readonly facts: NumberFact[] = [];
  /** Answers to `contact.check`, by request. */
  readonly contacts = new Map<number, boolean | null>();
  readonly sent = new Map<string, Sent>();
  epoch = 0;
  /** The command that a new link gets once it is ready. */
  session: NumberDownFrame | null = null;
  /** While false, facts are stored nowhere and not acknowledged. */
  storesFacts = true;
  socket: WebSocket | null = null;
  #missedOne = false;
  readonly #edge: FakeEdge;
  /** Highest sequence number stored, by bridge. */
  readonly #stored = new Map<string, number>();

  constructor(edge: FakeEdge) {
    this.#edge = edge;
  }

  linked(socket: WebSocket): void {
    this.socket = socket;
    this.#missedOne = false;
    this.command({ type: 'link.welcome', version: bridgeProtocolVersion });
  }

  command(frame: NumberDownFrame): void {
    this.socket?.send(JSON.stringify(frame));
  }

  /** Makes it the wish of the object, for this link and for every later one. */
  want(frame: NumberDownFrame): void {
    this.session = frame;
    this.command(frame);
  }

  pairByQr(): string {
    const pairingId = uuidv7();
    this.want({ type: 'session.pair', pairingId, method: 'qr' });
    return pairingId;
  }

  /** Commits messages and hands them over. */
  send(
    ...messages: { to: string; text: string; expiresAt?: string; typingMs?: number }[]
  ): OutboundMessage[] {
    const dayFromNow = new Date(Date.now() + 86_400_000).toISOString();
    const outbound = messages.map(({ to, text, expiresAt = dayFromNow, typingMs = 0 }): OutboundMessage => {
      const message: OutboundMessage = {
        messageId: `msg_${uuidv7()}`,
        providerMessageId: `3EB0${randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`,
        to,
        chatType: to.endsWith('@g.us') ? 'group' : 'personal',
        content: { type: 'text', text },
        handedTo: null,
        expiresAt,
        typingMs,
      };
      this.sent.set(message.messageId, { message, outcomes: [] });
      return message;
    });
    this.handOver(outbound);
    return outbound;
  }

  handOver(messages: OutboundMessage[]): void {
    if (messages.length === 0 || !this.socket) return;
    this.command({ type: 'send', messages });
    for (const { messageId } of messages) {
      const sent = this.sent.get(messageId);
      if (sent) sent.message = { ...sent.message, handedTo: this.#edge.bridgeOf(this) };
    }
  }

  outcomeOf({ messageId }: OutboundMessage): SendOutcome | undefined {
    return this.sent.get(messageId)?.outcomes.findLast((outcome) => outcome.outcome !== 'returned');
  }

  factsOf<Type extends NumberFact['type']>(type: Type): FactOf<Type>[] {
    return this.facts.filter((fact): fact is FactOf<Type> => fact.type === type);
  }

  inbound(): InboundMessage[] {
    return this.factsOf('inbound').flatMap(({ items }) => items);
  }

  receiptsOf({ providerMessageId }: OutboundMessage): NetworkReceipt[] {
    const receipts = this.factsOf('receipts').flatMap(({ items }) => items);
    return receipts.filter((receipt) => receipt.providerMessageId === providerMessageId);
  }

  /** Stores a fact once, however often it is repeated. Returns what to acknowledge. */
  store(bridgeId: string, seq: number, fact: NumberFact): void {
    // An acknowledgement is cumulative: after a fact that was not stored, none on this link may be acknowledged.
    this.#missedOne ||= !this.storesFacts;
    if (this.#missedOne) return;
    if (seq > (this.#stored.get(bridgeId) ?? 0)) {
      this.#stored.set(bridgeId, seq);
      this.facts.push(fact);
      if (fact.type === 'vault.put') this.#putVault(fact);
      if (fact.type === 'send.outcomes') this.#storeOutcomes(fact);
    }
    this.command({ type: 'fact.ack', seq });
  }

  /** The object's answer to a link that is ready: the session first, then everything unresolved. */
  ready(): void {
    if (this.session) this.command(this.session);
    const open = [...this.sent.values()].filter(({ message }) => !this.outcomeOf(message));
    this.handOver(open.map(({ message }) => message));
  }

  #putVault({ entries }: FactOf<'vault.put'>): void {
    for (const { key, sealed } of entries) {
      if (sealed === null) this.vault.delete(key);
      else this.vault.set(key, sealed);
    }
  }

  #storeOutcomes({ items }: FactOf<'send.outcomes'>): void {
    for (const outcome of items) {
      const sent = this.sent.get(outcome.messageId);
      if (!sent) throw new Error('an outcome of a message that was never handed over');
      sent.outcomes.push(outcome);
      if (outcome.outcome === 'returned') sent.message = { ...sent.message, handedTo: null };
    }
  }
}

/** Plays the gateway for bridges: the fleet, and a PhoneNumber object for each number. */
export class FakeEdge {
  readonly numbers = new Map<string, FakeNumber>();
  /** Every text that came from a bridge. */
  readonly received: string[] = [];
  /** What the edge could not accept; a test asserts that there is nothing. */
  readonly complaints: string[] = [];
  readonly controlFrames: { bridgeId: string; frame: ReturnType<typeof controlUpFrameSchema.parse> }[] = [];
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #control = new Map<string, WebSocket>();
  readonly #bridges = new Map<FakeNumber, string>();
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  refusesUpgrades = false;
  /** While false, keepalives stay unanswered, as on a link that is dead without saying so. */
  answersPings = true;

  private constructor(server: Server) {
    this.#server = server;
    server.on('upgrade', (request, socket, head) => {
      if (this.refusesUpgrades || request.headers.authorization !== `Bearer ${bridgeToken}`) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
        return;
      }
      if (this.#isStale(request)) {
        socket.end('HTTP/1.1 409 Conflict\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (upgraded) => this.#accept(upgraded, request));
    });
  }

  static async start(): Promise<FakeEdge> {
    const server = createServer((_, response) => response.writeHead(404).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeEdge(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  addNumber(): FakeNumber {
    const number = new FakeNumber(this);
    this.numbers.set(number.numberId, number);
    return number;
  }

  /** Leases a number to a bridge under a new epoch. */
  grant(number: FakeNumber, bridgeId: string): void {
    number.epoch += 1;
    this.#bridges.set(number, bridgeId);
    this.controlSend(bridgeId, { type: 'lease.granted', numberId: number.numberId, epoch: number.epoch });
  }

  controlSend(bridgeId: string, frame: ControlDownFrame): void {
    this.#control.get(bridgeId)?.send(JSON.stringify(frame));
  }

  bridgeOf(number: FakeNumber): string {
    const bridgeId = this.#bridges.get(number);
    if (!bridgeId) throw new Error('the number was never granted');
    return bridgeId;
  }

  /** Resolves when the condition holds; rejects with `what` and what the edge saw when it takes too long. */
  async until(what: string, condition: () => unknown, timeoutMs = 20_000): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    while (!condition()) {
      try {
        await once(this.#changes, 'change', { signal });
      } catch {
        const seen = [...this.numbers.values()].map(({ facts }) =>
          facts
            .map(({ type }) => type)
            .slice(-30)
            .join(' '),
        );
        throw new Error(`${what}: did not happen. Complaints: ${this.complaints}. Last facts: ${seen}`);
      }
    }
  }

  isConnected(bridgeId: string): boolean {
    return this.#control.has(bridgeId);
  }

  /** Cuts every link without a word. */
  cutLinks(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  async close(): Promise<void> {
    this.cutLinks();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #isStale(request: IncomingMessage): boolean {
    const url = new URL(request.url ?? '', 'http://edge');
    const number = this.numbers.get(url.pathname.split('/')[3] ?? '');
    return number !== undefined && Number(url.searchParams.get('epoch')) !== number.epoch;
  }

  #accept(socket: WebSocket, request: IncomingMessage): void {
    const url = new URL(request.url ?? '', 'http://edge');
    const [, , kind, numberId] = url.pathname.split('/');
    if (kind === 'control') {
      this.#acceptControl(socket);
      return;
    }
    const number = this.numbers.get(numberId ?? '');
    if (number) this.#acceptNumber(socket, number);
    else socket.close(linkCloseCodes.gone);
  }

  #acceptControl(socket: WebSocket): void {
    let bridgeId = '';
    this.#listen(socket, (text) => {
      const frame = controlUpFrameSchema.parse(JSON.parse(text));
      if (frame.type === 'bridge.hello') {
        bridgeId = frame.bridgeId;
        this.#control.set(bridgeId, socket);
        this.controlSend(bridgeId, { type: 'bridge.welcome', version: bridgeProtocolVersion });
      } else if (!bridgeId) {
        throw new Error(`${frame.type} before bridge.hello`);
      }
      this.controlFrames.push({ bridgeId, frame });
    });
    socket.on('close', () => {
      if (this.#control.get(bridgeId) === socket) this.#control.delete(bridgeId);
      this.#changes.emit('change');
    });
  }

  #acceptNumber(socket: WebSocket, number: FakeNumber): void {
    number.socket?.close(linkCloseCodes.replaced);
    let bridgeId = '';
    let lastSeq = 0;
    let isReady = false;
    this.#listen(socket, (text) => {
      const frame = numberUpFrameSchema.parse(JSON.parse(text));
      if (frame.type !== 'link.hello' && !bridgeId) throw new Error(`${frame.type} before link.hello`);
      switch (frame.type) {
        case 'link.hello':
          bridgeId = frame.bridgeId;
          number.linked(socket);
          return;
        case 'link.ready':
          isReady = true;
          number.ready();
          return;
        case 'fact':
          if (frame.seq <= lastSeq) throw new Error(`fact ${frame.seq} after ${lastSeq}`);
          lastSeq = frame.seq;
          number.store(bridgeId, frame.seq, frame.fact);
          return;
        case 'vault.get':
          if (!isReady) throw new Error('vault.get before link.ready');
          number.command({
            type: 'vault.entries',
            requestId: frame.requestId,
            entries: frame.keys.map((key) => ({ key, sealed: number.vault.get(key) ?? null })),
          });
          return;
        case 'contact.checked':
          number.contacts.set(frame.requestId, frame.onNetwork);
          return;
        case 'content.get': {
          const sent = [...number.sent.values()].find(
            ({ message }) => message.providerMessageId === frame.providerMessageId,
          );
          const content = sent?.message.content ?? null;
          number.command({ type: 'content', requestId: frame.requestId, content });
        }
      }
    });
    socket.on('close', () => {
      if (number.socket === socket) number.socket = null;
      this.#changes.emit('change');
    });
  }

  #listen(socket: WebSocket, onText: (text: string) => void): void {
    socket.on('message', (data) => {
      const text = data.toString();
      if (text === 'ping') {
        if (this.answersPings) socket.send('pong');
        return;
      }
      this.received.push(text);
      try {
        onText(text);
      } catch (error) {
        this.complaints.push(String(error));
        socket.close(linkCloseCodes.protocolError);
      }
      this.#changes.emit('change');
    });
  }
}
