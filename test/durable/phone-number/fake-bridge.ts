import { env } from 'cloudflare:workers';
import {
  bridgeProtocolVersion,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
  numberDownFrameSchema,
} from '../../../src/contract/bridge/bridge-frames.ts';
import type { QueryVerb } from '../../../src/contract/bridge/network-queries.ts';
import type { AcceptedMessage, BatchTaken } from '../../../src/durable/hand-over/message-batch.ts';
import { newMessageId, newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';

type DownFrameOf<Type extends NumberDownFrame['type']> = Extract<NumberDownFrame, { type: Type }>;

/** The bridge's end of a number link: says what a test tells it to say, and keeps what it hears. */
export class FakeBridge {
  readonly heard: NumberDownFrame[] = [];
  closed: { code: number; reason: string } | null = null;
  /** Takes questions instead of {@link heard}. */
  onQuery: ((frame: DownFrameOf<'query'>) => void) | null = null;
  readonly #socket: WebSocket;
  #seq = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.accept();
    socket.addEventListener('message', ({ data }) => {
      if (data === 'pong') return;
      const frame = numberDownFrameSchema.parse(JSON.parse(String(data)));
      if (frame.type === 'query' && this.onQuery) this.onQuery(frame);
      else this.heard.push(frame);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason };
    });
  }

  /** Opens a link and says hello; not yet ready. */
  static async link(
    numberId: string,
    epoch = 1,
    bridgeId = newUuid(),
    version = bridgeProtocolVersion,
  ): Promise<FakeBridge> {
    const response = await upgrade(numberId, epoch, bridgeId);
    if (!response.webSocket) throw new Error(`the link was refused: ${response.status}`);
    const bridge = new FakeBridge(response.webSocket);
    bridge.say({ type: 'link.hello', version, bridgeId, epoch });
    return bridge;
  }

  say(frame: NumberUpFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** Says a fact and waits until the object has stored it. */
  async tell(fact: NumberFact, seq = this.#seq + 1): Promise<void> {
    this.#seq = Math.max(this.#seq, seq);
    const acks = () => this.heard.filter((frame) => frame.type === 'fact.ack' && frame.seq === seq).length;
    const before = acks();
    this.say({ type: 'fact', seq, after: 0, fact });
    await until(() => acks() > before);
  }

  sayRaw(data: string): void {
    this.#socket.send(data);
  }

  /** The first frame of this type that has not been taken yet. */
  async take<Type extends NumberDownFrame['type']>(type: Type): Promise<DownFrameOf<Type>> {
    const index = await until(() => {
      const found = this.heard.findIndex((frame) => frame.type === type);
      return found === -1 ? false : { found };
    });
    return this.heard.splice(index.found, 1)[0] as DownFrameOf<Type>;
  }

  /** The same of the question with this verb: a number also asks for its groups by itself. */
  async takeQuery(verb: QueryVerb): Promise<DownFrameOf<'query'>> {
    const index = await until(() => {
      const found = this.heard.findIndex((frame) => frame.type === 'query' && frame.query.verb === verb);
      return found === -1 ? false : { found };
    });
    return this.heard.splice(index.found, 1)[0] as DownFrameOf<'query'>;
  }

  close(): void {
    this.#socket.close(1000);
  }
}

function upgrade(numberId: string, epoch: number, bridgeId: string): Promise<Response> {
  const query = `epoch=${epoch}&bridge=${bridgeId}&standing=drive`;
  return phoneNumber(numberId).fetch(`https://edge/bridge/numbers/${numberId}?${query}`, {
    headers: { Upgrade: 'websocket' },
  });
}

export function phoneNumber(numberId: string) {
  return env.PHONE_NUMBER.getByName(numberId);
}

/** A number of a new account, paired and connected through a fake bridge that takes work. */
export async function connectedNumber(phone = '628123456789', accountId = newUuid()) {
  const numberId = newUuid();
  await phoneNumber(numberId).provision({ accountId, numberId });
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  await bridge.tell({ type: 'session.connected', phoneNumber: phone, at: new Date().toISOString() });
  return { accountId, numberId, bridge };
}

export function textMessage(text: string, more: Partial<AcceptedMessage> = {}): AcceptedMessage {
  const queuedAt = Date.now();
  return {
    messageId: newMessageId(),
    to: '628999888777',
    chatType: 'personal',
    content: { type: 'text', text },
    senderSource: 'pool',
    isNewChat: false,
    mayMove: true,
    queuedAt,
    expiresAt: queuedAt + 86_400_000,
    ...more,
  };
}

const lastBatches = new Map<string, number>();

/** Gives messages to a number as its account would: in one batch, with the next number. */
export function giveBatch(numberId: string, ...messages: AcceptedMessage[]): Promise<BatchTaken> {
  const batchNumber = (lastBatches.get(numberId) ?? 0) + 1;
  lastBatches.set(numberId, batchNumber);
  return phoneNumber(numberId).take({ batchNumber, messages });
}
