import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  bridgeProtocolVersion,
  type ControlDownFrame,
  type InboundMessage,
  leaseTimes,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
  unacknowledgedFramesMax,
} from '../../../src/contract/bridge/bridge-frames.ts';
import { requestJson } from '../../../src/local/json-client.ts';

/** A gateway that runs, and what its operator knows. */
interface RunningGateway {
  local: { baseUrl: string; bridges: readonly { bridgeId: string }[] };
  secrets: { bootstrapToken: string };
}

/** Whose bridge it is to be. */
interface ReportedNumber {
  numberId: string;
  phone: string;
  pair: () => Promise<unknown>;
}

/** Messages of one frame. */
const itemsPerFrame = 50;
/** Numbers that have lost another bridge come along: there is room for them, and they get no link. */
const capacity = 100;

/**
 * A bridge for one number with no network behind it: it reports what a test has made up, and the gateway takes it in as
 * from any other. So an account is filled as fast as the gateway stores.
 */
export class ReportingBridge {
  readonly #link: WebSocket;
  readonly #control: WebSocket;
  readonly #pings: NodeJS.Timeout;
  #seq = 0;
  readonly #said: { seq: number; stored: () => void }[] = [];

  private constructor(control: WebSocket, link: WebSocket, pings: NodeJS.Timeout) {
    this.#control = control;
    this.#link = link;
    this.#pings = pings;
  }

  /** Takes the number once it is paired. The gateway's own bridges get none from now on. */
  static async open(
    gateway: RunningGateway,
    { numberId, phone, pair }: ReportedNumber,
  ): Promise<ReportingBridge> {
    const { baseUrl, bridges } = gateway.local;
    const operator = { authorization: `Bearer ${gateway.secrets.bootstrapToken}` };
    for (const { bridgeId } of bridges)
      await requestJson(baseUrl, 'POST', `/v1/operator/bridges/${bridgeId}/drain`, { headers: operator });
    const bridgeId = randomUUID();
    const enrolment = await requestJson<{ token: string }>(baseUrl, 'POST', '/v1/operator/bridges', {
      headers: operator,
      body: {},
    });
    const { token } = await requestJson<{ token: string }>(baseUrl, 'POST', '/bridge/enrol', {
      headers: { authorization: `Bearer ${enrolment.token}` },
      body: { bridgeId },
    });
    const dial = (path: string) =>
      new WebSocket(`${baseUrl.replace('http', 'ws')}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    const control = dial('/bridge/control');
    const granted = new Promise<number>((resolve) => {
      control.on('message', (data) => {
        const text = String(data);
        if (text === 'pong') return;
        const frame = JSON.parse(text) as ControlDownFrame;
        if (frame.type === 'lease.granted' && frame.numberId === numberId) resolve(frame.epoch);
      });
    });
    await once(control, 'open');
    const version = bridgeProtocolVersion;
    control.send(JSON.stringify({ type: 'bridge.hello', version, bridgeId, capacity, leases: [] }));
    const pings = setInterval(() => control.send('ping'), leaseTimes.pingEveryMs);
    await pair();
    const epoch = await granted;
    const link = dial(`/bridge/numbers/${numberId}?epoch=${epoch}`);
    const bridge = new ReportingBridge(control, link, pings);
    const wanted = bridge.#listen();
    await once(link, 'open');
    bridge.#say({ type: 'link.hello', version, bridgeId, epoch });
    bridge.#say({ type: 'link.ready' });
    await wanted;
    await bridge.#tell({ type: 'session.connected', phoneNumber: phone, at: new Date().toISOString() });
    return bridge;
  }

  /** Resolves when the gateway has stored all of them. */
  async report(messages: Iterable<InboundMessage>): Promise<void> {
    let items: InboundMessage[] = [];
    const told: Promise<void>[] = [];
    for (const message of messages) {
      items.push(message);
      if (items.length < itemsPerFrame) continue;
      if (this.#said.length >= unacknowledgedFramesMax / 2) await told.at(-unacknowledgedFramesMax / 4);
      told.push(this.#tell({ type: 'inbound', items }));
      items = [];
    }
    if (items.length > 0) told.push(this.#tell({ type: 'inbound', items }));
    await Promise.all(told);
  }

  close(): void {
    clearInterval(this.#pings);
    this.#link.terminate();
    this.#control.terminate();
  }

  /** Resolves when a session is wanted. */
  #listen(): Promise<void> {
    return new Promise((resolve) => {
      this.#link.on('message', (data) => {
        const text = String(data);
        if (text === 'pong') return;
        const frame = JSON.parse(text) as NumberDownFrame;
        if (frame.type === 'session.pair' || frame.type === 'session.start') resolve();
        if (frame.type === 'fact.refused') throw new Error(`A fact was refused: ${frame.reason}.`);
        if (frame.type !== 'fact.ack') return;
        while ((this.#said[0]?.seq ?? Number.POSITIVE_INFINITY) <= frame.seq) this.#said.shift()?.stored();
      });
    });
  }

  #tell(fact: NumberFact): Promise<void> {
    this.#seq += 1;
    const [seq, after] = [this.#seq, this.#said.at(-1)?.seq ?? 0];
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#said.push({ seq, stored: resolve });
    this.#say({ type: 'fact', seq, after, fact });
    return promise;
  }

  #say(frame: NumberUpFrame): void {
    this.#link.send(JSON.stringify(frame));
  }
}
