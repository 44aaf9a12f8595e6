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
  grantHeader,
  type InboundMessage,
  linkCloseCodes,
  type NetworkReceipt,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
  numberUpFrameSchema,
  type OutboundMessage,
  reportOnlyFacts,
  type SendOutcome,
} from '../../src/contract/bridge/bridge-frames.ts';
import type { NetworkQuery, QueryFailure } from '../../src/contract/bridge/network-queries.ts';
import { patienceMs } from '../wait-until.ts';
import { bridgeToken, enrol, makeToken } from './fake-enrolment.ts';
import { FakeFiles } from './fake-files.ts';

type FactOf<Type extends NumberFact['type']> = Extract<NumberFact, { type: Type }>;

/** One message as the fake PhoneNumber object knows it. */
interface Sent {
  message: OutboundMessage;
  /** Outcomes in the order in which they were first stored. */
  outcomes: SendOutcome[];
}

/** A link of a bridge to a number, as far as facts are concerned. */
interface FactLink {
  bridgeId: string;
  isReportOnly: boolean;
  /** The last frame that was stored or refused. It stands with the socket and outlives the object's memory. */
  settled: number;
  answer(frame: NumberDownFrame): void;
}

const isReport = (fact: NumberFact) => (reportOnlyFacts as readonly string[]).includes(fact.type);

/** Plays one PhoneNumber object: strict about frames, with a vault in memory. */
export class FakeNumber {
  readonly numberId = uuidv7();
  readonly vault = new Map<string, string>();
  readonly facts: NumberFact[] = [];
  /** The keys of each question about the vault. */
  readonly vaultQuestions: string[][] = [];
  /** What came of each `query`. */
  readonly answers = new Map<number, { answer: unknown } | { failure: QueryFailure }>();
  readonly sent = new Map<string, Sent>();
  /** What the other side of watched chats did. */
  readonly typing: Omit<Extract<NumberUpFrame, { type: 'chat.typing' }>, 'type'>[] = [];
  epoch = 0;
  /** What it was opened with, link by link; null: with no grant, so that the fleet was asked. */
  readonly grants: (string | null)[] = [];
  /** Whether it believes what the fleet has signed. */
  believes: (grant: string) => boolean = () => true;
  /** The command that a new link gets once it is ready. */
  session: NumberDownFrame | null = null;
  /** While false, facts are stored nowhere and not acknowledged. */
  storesFacts = true;
  /** Facts that it can never take. */
  refuses: (fact: NumberFact) => boolean = () => false;
  /** Whether a bridge may report under an epoch that is over; else its link is refused. */
  takesReports = true;
  /** What it took over report-only links. */
  readonly reported: NumberFact[] = [];
  socket: WebSocket | null = null;
  #lastQuery = 0;
  #missedOne = false;
  readonly #edge: FakeEdge;
  /** Highest sequence number stored, by bridge. */
  readonly #stored = new Map<string, number>();
  /** The bridge that each message was last handed to. */
  readonly #handedTo = new Map<string, string>();

  constructor(edge: FakeEdge) {
    this.#edge = edge;
  }

  linked(socket: WebSocket): void {
    this.socket = socket;
    this.#missedOne = false;
    this.command({ type: 'link.welcome', version: this.#edge.welcomesTo, reportOnly: false });
  }

  /** A link of a bridge that may only report; like every new link it begins with what was not acknowledged. */
  reportLinked(): void {
    this.#missedOne = false;
  }

  /** The object has lost its memory, the link is as it was. */
  hibernate(): void {
    this.#missedOne = false;
  }

  command(frame: NumberDownFrame): void {
    this.socket?.send(JSON.stringify(frame));
  }

  /** Makes it the wish of the object, for this link and for every later one. */
  want(frame: NumberDownFrame): void {
    this.session = frame;
    this.command(frame);
  }

  /** Asks something of the network; {@link answers} has what came of it, under the id that this returns. */
  ask(query: NetworkQuery, deadlineMs = 10_000): number {
    this.#lastQuery += 1;
    this.command({ type: 'query', queryId: this.#lastQuery, deadlineMs, query });
    return this.#lastQuery;
  }

  pairByQr(): string {
    const pairingId = uuidv7();
    this.want({ type: 'session.pair', pairingId, method: 'qr' });
    return pairingId;
  }

  /** Commits messages and hands them over. */
  send(
    ...messages: {
      to: string;
      text?: string;
      content?: OutboundMessage['content'];
      expiresInMs?: number;
      typingMs?: number;
    }[]
  ): OutboundMessage[] {
    const outbound = messages.map(
      ({ to, text = '', content, expiresInMs = 86_400_000, typingMs = 0 }): OutboundMessage => {
        const message: OutboundMessage = {
          messageId: `msg_${uuidv7()}`,
          providerMessageId: `3EB0${randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`,
          to,
          chatType: to.endsWith('@g.us') ? 'group' : 'personal',
          content: content ?? { type: 'text', text },
          handedTo: null,
          handOver: 1,
          expiresInMs,
          typingMs,
        };
        this.sent.set(message.messageId, { message, outcomes: [] });
        return message;
      },
    );
    this.handOver(outbound);
    return outbound;
  }

  /** Says of each message whether the bridge that is given it had it last. */
  handOver(handed: OutboundMessage[]): void {
    if (handed.length === 0 || !this.socket) return;
    const bridgeId = this.#edge.bridgeOf(this);
    const messages = handed.map((message): OutboundMessage => {
      if (message.handedTo === null) return message;
      return { ...message, handedTo: this.#handedTo.get(message.messageId) === bridgeId ? 'you' : 'another' };
    });
    this.command({ type: 'send', messages });
    for (const { messageId } of messages) {
      const sent = this.sent.get(messageId);
      if (!sent) continue;
      const { message } = sent;
      this.#handedTo.set(messageId, this.#edge.bridgeOf(this));
      sent.message = { ...message, handedTo: 'you', handOver: message.handOver + 1 };
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

  /** Stores a fact once, however often it is repeated, and answers. */
  store(link: FactLink, seq: number, after: number, fact: NumberFact): void {
    // An acknowledgement is cumulative: after a fact that was not stored, none may be acknowledged before its repeat.
    this.#missedOne ||= !this.storesFacts;
    if (this.#missedOne || after > link.settled) return;
    link.settled = Math.max(link.settled, seq);
    if (this.refuses(fact) || (link.isReportOnly && !isReport(fact))) {
      link.answer({ type: 'fact.refused', seq, reason: link.isReportOnly ? 'report_only' : 'invalid' });
      return;
    }
    if (seq > (this.#stored.get(link.bridgeId) ?? 0)) {
      this.#stored.set(link.bridgeId, seq);
      this.facts.push(fact);
      if (link.isReportOnly) this.reported.push(fact);
      if (fact.type === 'vault.put') this.#putVault(fact);
      if (fact.type === 'send.outcomes') this.#storeOutcomes(fact);
    }
    link.answer({ type: 'fact.ack', seq });
  }

  /** The object's answer to a link that is ready: the session first, then everything unresolved. */
  ready(): void {
    if (this.session) this.command(this.session);
    this.handOverAgain();
  }

  /** Hands over what has no outcome yet. */
  handOverAgain(): void {
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
      // Only the current hand-over can be returned; the message has the number of the next one.
      if (outcome.outcome === 'returned' && outcome.handOver === sent.message.handOver - 1)
        sent.message = { ...sent.message, handedTo: null };
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
  /** What it signs anew after a hello, by number; of others it says nothing then. */
  readonly signs = new Map<string, string>();
  /** The version that it welcomes a bridge to; the reason for which it refuses one's version. */
  welcomesTo = bridgeProtocolVersion;
  refusesVersion: string | null = null;
  #answersPings = true;
  /** Where a `ping` waits for its answer. */
  #unanswered: WebSocket[] = [];

  /** What `media/` of the edge holds. */
  readonly files: FakeFiles;

  private constructor(server: Server, files: FakeFiles) {
    this.#server = server;
    this.files = files;
    server.on('upgrade', (request, socket, head) => {
      if (this.refusesUpgrades || request.headers.authorization !== `Bearer ${bridgeToken}`) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
        return;
      }
      if (this.#isStale(request)) {
        socket.end('HTTP/1.1 409 Conflict\r\n\r\n');
        return;
      }
      if (!this.#isBelieved(request)) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (upgraded) => this.#accept(upgraded, request));
    });
  }

  static async start(): Promise<FakeEdge> {
    const files = new FakeFiles();
    const server = createServer((request, response) => {
      if (request.url === '/bridge/enrol') enrol(request, response);
      else if (request.url === '/v1/operator/bridges') void makeToken(request, response);
      else void files.answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeEdge(server, files);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  addNumber(): FakeNumber {
    const number = new FakeNumber(this);
    this.numbers.set(number.numberId, number);
    return number;
  }

  /** Leases a number to a bridge under a new epoch; `grant`: what the fleet has signed, where it signs. */
  grant(number: FakeNumber, bridgeId: string, grant?: string): void {
    number.epoch += 1;
    this.#bridges.set(number, bridgeId);
    const { numberId, epoch } = number;
    this.controlSend(bridgeId, { type: 'lease.granted', numberId, epoch, ...(grant && { grant }) });
  }

  /**
   * Takes a number away from its bridge, as the fleet does before another one gets it: two that both log in replace each other's
   * connections, and the network tells what it has to tell to the wrong one.
   */
  async takeAway(number: FakeNumber): Promise<void> {
    const { numberId, epoch } = number;
    const bridgeId = this.bridgeOf(number);
    this.controlSend(bridgeId, { type: 'lease.revoked', numberId, epoch });
    await this.until('its bridge gives it up', () =>
      this.controlFrames.some(
        ({ bridgeId: by, frame }) =>
          by === bridgeId &&
          frame.type === 'lease.released' &&
          frame.numberId === numberId &&
          frame.epoch === epoch,
      ),
    );
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
  async until(what: string, condition: () => unknown, timeoutMs = patienceMs): Promise<void> {
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

  /** While false, pings stay unanswered, as on a link that is dead without saying so. They are answered later. */
  set answersPings(answers: boolean) {
    this.#answersPings = answers;
    if (answers) for (const socket of this.#unanswered.splice(0)) socket.send('pong');
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

  #isBelieved(request: IncomingMessage): boolean {
    const number = this.numbers.get(new URL(request.url ?? '', 'http://edge').pathname.split('/')[3] ?? '');
    const grant = request.headers[grantHeader]?.toString() ?? null;
    number?.grants.push(grant);
    return !number || grant === null || number.believes(grant);
  }

  #isStale(request: IncomingMessage): boolean {
    const url = new URL(request.url ?? '', 'http://edge');
    const number = this.numbers.get(url.pathname.split('/')[3] ?? '');
    if (!number) return false;
    const epoch = Number(url.searchParams.get('epoch'));
    return epoch > number.epoch || (epoch < number.epoch && !number.takesReports);
  }

  #accept(socket: WebSocket, request: IncomingMessage): void {
    const url = new URL(request.url ?? '', 'http://edge');
    const [, , kind, numberId] = url.pathname.split('/');
    if (kind === 'control') {
      this.#acceptControl(socket);
      return;
    }
    const number = this.numbers.get(numberId ?? '');
    const epoch = Number(url.searchParams.get('epoch'));
    if (!number) socket.close(linkCloseCodes.gone);
    else if (epoch < number.epoch) this.#acceptReports(socket, number);
    else this.#acceptNumber(socket, number);
  }

  #acceptControl(socket: WebSocket): void {
    let bridgeId = '';
    this.#listen(socket, (text) => {
      const frame = controlUpFrameSchema.parse(JSON.parse(text));
      if (frame.type === 'bridge.hello') {
        this.controlFrames.push({ bridgeId: frame.bridgeId, frame });
        if (this.refusesVersion !== null) {
          socket.close(linkCloseCodes.protocolError, this.refusesVersion);
          return;
        }
        bridgeId = frame.bridgeId;
        this.#control.set(bridgeId, socket);
        for (const { numberId, epoch } of frame.leases) {
          const grant = this.signs.get(numberId);
          if (epoch < (this.numbers.get(numberId)?.epoch ?? 0))
            this.controlSend(bridgeId, { type: 'lease.expired', numberId, epoch });
          else if (grant) this.controlSend(bridgeId, { type: 'lease.granted', numberId, epoch, grant });
        }
        this.controlSend(bridgeId, { type: 'bridge.welcome', version: this.welcomesTo });
        return;
      }
      if (!bridgeId) {
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
    const link = this.#factLink(socket, false);
    let lastSeq = 0;
    let isReady = false;
    this.#listen(socket, (text) => {
      const frame = numberUpFrameSchema.parse(JSON.parse(text));
      if (frame.type !== 'link.hello' && !link.bridgeId) throw new Error(`${frame.type} before link.hello`);
      switch (frame.type) {
        case 'link.hello':
          link.bridgeId = frame.bridgeId;
          number.linked(socket);
          return;
        case 'link.ready':
          isReady = true;
          number.ready();
          return;
        case 'fact':
          // A repeat begins with the oldest that was not acknowledged.
          if (frame.seq <= lastSeq && frame.after > 0) throw new Error(`fact ${frame.seq} after ${lastSeq}`);
          lastSeq = Math.max(lastSeq, frame.seq);
          number.store(link, frame.seq, frame.after, frame.fact);
          return;
        case 'vault.get':
          if (!isReady) throw new Error('vault.get before link.ready');
          number.vaultQuestions.push(frame.keys);
          number.command({
            type: 'vault.entries',
            requestId: frame.requestId,
            entries: frame.keys.map((key) => ({ key, sealed: number.vault.get(key) ?? null })),
          });
          return;
        case 'vault.outdated': {
          const beginning = Buffer.from(frame.beginning, 'base64');
          const outdated = [...number.vault].filter(
            ([key, sealed]) =>
              key > (frame.after ?? '') &&
              !Buffer.from(sealed, 'base64').subarray(0, beginning.length).equals(beginning),
          );
          const entries = outdated
            .map(([key, sealed]) => ({ key, sealed }))
            .toSorted((a, b) => (a.key < b.key ? -1 : 1))
            .slice(0, 100);
          number.command({ type: 'vault.entries', requestId: frame.requestId, entries });
          return;
        }
        case 'chat.typing': {
          const { type: _, ...typing } = frame;
          number.typing.push(typing);
          return;
        }
        case 'query.result':
          number.answers.set(frame.queryId, { answer: frame.answer });
          return;
        case 'query.failed':
          number.answers.set(frame.queryId, { failure: frame.failure });
          return;
        case 'content.get': {
          const sent = [...number.sent.values()].find(
            ({ message }) => message.providerMessageId === frame.providerMessageId,
          );
          const { requestId } = frame;
          if (!sent) number.command({ type: 'content', requestId, content: null });
          else {
            const { content, to } = sent.message;
            number.command({ type: 'content', requestId, content, to });
          }
        }
      }
    });
    socket.on('close', () => {
      if (number.socket === socket) number.socket = null;
      this.#changes.emit('change');
    });
  }

  /** A link under an epoch that is over. */
  #acceptReports(socket: WebSocket, number: FakeNumber): void {
    const link = this.#factLink(socket, true);
    this.#listen(socket, (text) => {
      const frame = numberUpFrameSchema.parse(JSON.parse(text));
      if (frame.type === 'link.hello') {
        link.bridgeId = frame.bridgeId;
        number.reportLinked();
        link.answer({ type: 'link.welcome', version: bridgeProtocolVersion, reportOnly: true });
      } else if (frame.type === 'fact') {
        number.store(link, frame.seq, frame.after, frame.fact);
      }
    });
    socket.on('close', () => this.#changes.emit('change'));
  }

  #factLink(socket: WebSocket, isReportOnly: boolean): FactLink {
    const answer = (frame: NumberDownFrame) => socket.send(JSON.stringify(frame));
    return { bridgeId: '', isReportOnly, settled: 0, answer };
  }

  #listen(socket: WebSocket, onText: (text: string) => void): void {
    socket.on('message', (data) => {
      const text = data.toString();
      if (text === 'ping') {
        if (this.#answersPings) socket.send('pong');
        else this.#unanswered.push(socket);
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
