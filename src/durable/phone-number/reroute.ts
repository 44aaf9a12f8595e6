import { defaultAccountSettings } from '../../contract/account-settings.ts';
import type { EventRelay } from '../event-relay.ts';
import { log } from '../log.ts';
import type { Device } from './device.ts';
import type { MessageEvents } from './message-events.ts';
import type { Moves } from './moves.ts';
import { type AdmittedMessage, providerMessageIdOf } from './outbound-message.ts';
import type { SenderHealth } from './sender-health.ts';
import type { SenderState } from './sender-state.ts';

/** Between questions to the account, while it has no other number. */
const askAgainMs = 15_000;
const messagesPerCall = 100;

/** Messages that the account may be asked to take elsewhere: all that may move, or only those that begin a chat. */
export type Movable = 'all' | 'new chats';

/**
 * Which of the waiting messages are to move, and from when; null when none is. What is lost for good is left at once,
 * what may come back after a while; a restriction concerns new chats alone.
 */
export function movableFrom(
  device: Pick<Device, 'state'>,
  health: { status: string; since: number; unavailableSince: number | null },
  rerouteAfterMs: number,
): { movable: Movable; at: number } | null {
  if (device.state === 'connected') {
    if (health.status === 'resting') return { movable: 'all', at: health.since + rerouteAfterMs };
    return health.status === 'restricted' ? { movable: 'new chats', at: health.since } : null;
  }
  const since = health.unavailableSince ?? 0;
  return { movable: 'all', at: device.state === 'disconnected' ? since + rerouteAfterMs : since };
}

/**
 * Moves waiting messages to other numbers of the account. A message is marked before the account is asked, and from
 * then on it is not sent from here; it leaves the outbox, or goes back into it, only with the account's answer.
 */
export class Reroute {
  readonly #storage: DurableObjectStorage;
  readonly #moves: Moves;
  readonly #health: SenderHealth;
  readonly #state: SenderState;
  readonly #events: MessageEvents;
  readonly #relay: EventRelay;
  #afterMs = 0;
  #askedAt = 0;
  #movedCount = 0;
  #isAsking = false;

  constructor(
    storage: DurableObjectStorage,
    parts: {
      moves: Moves;
      health: SenderHealth;
      state: SenderState;
      events: MessageEvents;
      relay: EventRelay;
    },
  ) {
    this.#storage = storage;
    this.#moves = parts.moves;
    this.#health = parts.health;
    this.#state = parts.state;
    this.#events = parts.events;
    this.#relay = parts.relay;
    this.reload();
  }

  /** Takes over the account's setting; milliseconds. Stored when it is another one. */
  configure(afterMs: number): void {
    if (afterMs === this.#afterMs) return;
    this.#afterMs = afterMs;
    this.#state.put('rerouteAfterMs', afterMs);
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#afterMs = this.#state.get<number>('rerouteAfterMs') ?? defaultAccountSettings.rerouteAfterMs;
  }

  /** When the account is to be asked next; null when nothing is to move. */
  dueAt(device: Device | null, now: number): number | null {
    if (!device || this.#isAsking) return null;
    if (this.#moves.count > 0) return this.#askedAt === 0 ? now : this.#askedAt + askAgainMs;
    const from = this.#movable(device, now);
    if (!from || this.#moves.movable(from.movable === 'new chats', 1).length === 0) return null;
    return Math.max(from.at, this.#askedAt === 0 ? 1 : this.#askedAt + askAgainMs);
  }

  /** Messages that have moved away in this life of the object. */
  get movedCount(): number {
    return this.#movedCount;
  }

  /** Asks the account for every message that is to move. Throws what the call throws. */
  async ask(
    device: Device,
    now: number,
    reroute: (messages: AdmittedMessage[]) => Promise<{ moved: string[] }>,
  ): Promise<void> {
    this.#isAsking = true;
    this.#askedAt = now;
    try {
      for (;;) {
        const messages = this.#mark(device, now);
        if (messages.length === 0) return;
        const { moved } = await reroute(messages);
        this.#settle(messages, new Set(moved));
        this.#movedCount += moved.length;
        log('messages.rerouted', {
          numberId: device.numberId,
          asked: messages.length,
          moved: moved.length,
        });
        // The account has no place for the rest just now.
        if (moved.length < messages.length) return;
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** What an earlier life, or an earlier attempt, has left marked comes first. */
  #mark(device: Device, now: number): AdmittedMessage[] {
    const marked = this.#moves.moving(messagesPerCall);
    const from = marked.length > 0 ? null : this.#movable(device, now);
    const fresh =
      from && from.at <= now ? this.#moves.movable(from.movable === 'new chats', messagesPerCall) : [];
    this.#storage.transactionSync(() => {
      for (const message of fresh) this.#moves.mark(message);
    });
    return [...marked, ...fresh].map(
      ({ messageId, to, chatType, content, senderSource, isNewChat, moves, queuedAt, expiresAt }) => ({
        messageId,
        to,
        chatType,
        content,
        senderSource,
        isNewChat,
        mayMove: true,
        moves: moves + 1,
        queuedAt,
        expiresAt,
      }),
    );
  }

  #settle(asked: readonly AdmittedMessage[], moved: ReadonlySet<string>): void {
    this.#storage.transactionSync(() => {
      for (const message of asked) {
        if (moved.has(message.messageId)) this.#moveAway(message);
        else this.#moves.stay(message);
      }
    });
  }

  /** What its row still holds to be told stays here. */
  #moveAway(message: AdmittedMessage): void {
    const providerMessageId = providerMessageIdOf(message.messageId);
    const { queuedAt } = message;
    this.#relay.append(this.#events.eventsOf({ queuedAt, providerMessageId }), Date.now());
    this.#moves.moveAway(message);
  }

  #movable(device: Device, now: number): ReturnType<typeof movableFrom> {
    const { status } = this.#health.shown(device, now);
    const { since, unavailableSince } = this.#health;
    return movableFrom(device, { status, since, unavailableSince }, this.#afterMs);
  }
}
