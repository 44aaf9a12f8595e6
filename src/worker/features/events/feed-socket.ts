import {
  type Acknowledgement,
  type FeedAccess,
  type FeedAlerts,
  type FeedFrame,
  type FeedPresence,
  type FeedRequest,
  feedPing,
  feedPong,
  feedUrl,
  type PresenceFrame,
} from '../../../durable/event-log/feed/feed-frames.ts';
import { logOf } from '../../../durable/event-log/log-of.ts';

/** A frame, and how long it was. */
export interface ReceivedFrame extends FeedFrame {
  characters: number;
  /** Who is where, instead of events. */
  presence?: PresenceFrame;
  /** Alerts are others now, instead of events. */
  alerts?: true;
  /** Who may see what is otherwise now, instead of events. */
  access?: true;
}

/** A socket to an account's log, from the Worker's side: whoever waits for events waits here, and the log sleeps. */
export class FeedSocket {
  readonly #socket: WebSocket;
  readonly #frames: ReceivedFrame[] = [];
  #hasEnded = false;
  #isPongDue = false;
  /** Ends the wait of {@link next}. */
  #wake: () => void = () => {};

  /** Null where the log does not take it; the next read says why. */
  static async open(env: Env, accountId: string, request: FeedRequest): Promise<FeedSocket | null> {
    const headers = { Upgrade: 'websocket' };
    const { webSocket } = await logOf(env, accountId).fetch(feedUrl(request), { headers });
    return webSocket === null ? null : new FeedSocket(webSocket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', () => this.#end());
    socket.addEventListener('error', () => this.#end());
    socket.accept();
  }

  /** The next frame; `silence` when none came in time; null when the socket has ended. */
  async next(waitMs: number): Promise<ReceivedFrame | 'silence' | null> {
    if (this.#frames.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#frames.shift() ?? (this.#hasEnded ? null : 'silence');
  }

  /** The frame is passed on: the log may send as much again. */
  acknowledge({ events, characters }: ReceivedFrame): void {
    this.#send(JSON.stringify({ events: events.length, characters } satisfies Acknowledgement));
  }

  /** To be called now and then. False: the last one was not answered, so nobody is there. */
  ping(): boolean {
    if (this.#isPongDue) return false;
    this.#isPongDue = true;
    this.#send(feedPing);
    return !this.#hasEnded;
  }

  close(): void {
    this.#end();
    this.#socket.close(1000, 'done');
  }

  #receive(data: string): void {
    if (data === feedPong) this.#isPongDue = false;
    else this.#frames.push(received(data));
    this.#wake();
  }

  #send(data: string): void {
    if (!this.#hasEnded) this.#socket.send(data);
  }

  #end(): void {
    this.#hasEnded = true;
    this.#wake();
  }
}

/** What stands for no events, and has not to be acknowledged. */
const aside = { events: [], cursor: '', hasMore: false, characters: 0 };

function received(data: string): ReceivedFrame {
  const frame = JSON.parse(data) as FeedFrame | FeedPresence | FeedAlerts | FeedAccess;
  if ('presence' in frame) return { ...aside, presence: frame.presence };
  if ('access' in frame) return { ...aside, access: true };
  return 'alerts' in frame ? { ...aside, alerts: true } : { ...frame, characters: data.length };
}
