import { type SenderSource, type SendLane, sendLanes } from '../../../contract/messages/message.ts';
import { earliest } from '../../due-times.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { log } from '../../log.ts';
import type { SendCounts } from '../admission/send-counts.ts';
import type { Configuration } from '../configuration/snapshot.ts';
import type { Choosing } from '../senders/choosing.ts';
import type { CurrentPool } from '../senders/current-pool.ts';
import {
  canSend,
  kindsThatMayLeave,
  type MessageKind,
  messageKinds,
  type Sender,
} from '../senders/sender.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { type Failures, numberDeleted, recordOf } from './failures.ts';
import type { HandOver } from './hand-over.ts';
import type { Placement } from './placement.ts';

interface MovesParts {
  choosing: Choosing;
  placement: Placement;
  counts: SendCounts;
  logOutbox: LogOutbox;
}

/** How a message that has moved says why its sender sends it. */
const movedSource: Record<SenderSource, SenderSource> = {
  pinned: 'pinned_fallback',
  pinned_fallback: 'pinned_fallback',
  pool: 'pool',
  hint: 'hint_fallback',
  hint_fallback: 'hint_fallback',
};

/** Chooses again for messages whose number cannot send them. */
export class Moves {
  readonly #parts: MovesParts;

  constructor(parts: MovesParts) {
    this.#parts = parts;
  }

  /**
   * Gives the message to another number of the pool, and returns whether there was one. Call it inside the transaction that
   * takes the message from its number, and finish the placement in the same transaction. `wanted`: see {@link
   * Choosing.another}.
   */
  move(
    message: AcceptedMessage,
    from: Sender,
    wanted: 'ready' | 'any',
    configuration: Configuration,
    now: number,
  ): boolean {
    const { choosing, placement, counts, logOutbox } = this.#parts;
    if (!message.mayMove || message.expiresAt <= now) return false;
    const choice = choosing.another(message, from.numberId, wanted, configuration, now);
    if (choice === null) return false;
    const { numberId, kind, rotated } = choice;
    const moved = { ...message, isNewChat: kind === 'new', senderSource: movedSource[message.senderSource] };
    const conversations = choosing.conversations.of(message.to);
    const { stickyHours } = configuration.settings;
    counts.takeOff(from.numberId, message.queuedAt);
    const to = placement.put(moved, { numberId, rotated, conversations, stickyHours }, now);
    logOutbox.add([{ kind: 'message.moved', message: recordOf(moved, to) }]);
    const { messageId } = message;
    log('message.moved', { messageId, numberId, from: from.numberId, source: moved.senderSource });
    return true;
  }
}

/** Messages that one transaction looks at. */
const sliceMax = 64;
/** Between two looks at the messages of a number for which there was no other: doubled each time. */
const firstAgainMs = 15_000;
const againMsMax = 600_000;

interface ReroutingParts {
  senders: Senders;
  backlog: Backlog;
  handOver: HandOver;
  currentPool: CurrentPool;
  placement: Placement;
  moves: Moves;
  failures: Failures;
  change: <Result>(work: () => Result) => Result;
  configuration: () => Configuration | null;
}

/** Which messages of a number are to go to another one, and from when. */
interface Movable {
  kinds: readonly MessageKind[];
  at: number;
  /** The number is deleted: what no other can send fails. */
  isDeleted: boolean;
  /** `ready`: only a number that can send them now does better. */
  wanted: 'ready' | 'any';
}

/**
 * If the number is gone for good, its messages move at once; if it may come back, after a while. A restriction concerns only
 * new chats, a used-up day everything but answers. Such messages, and those of a number whose object does not respond, move only
 * if another number is ready: else two such numbers would give each other their messages again and again. `failingSince`:
 * since when the object has not responded.
 */
export function movableOf(
  sender: Sender,
  isDeleted: boolean,
  failingSince: number | null,
  rerouteAfterMs: number,
): Movable | null {
  const all = { kinds: messageKinds, isDeleted, wanted: 'any' } as const;
  if (isDeleted) return { ...all, at: 0 };
  const { report, awaySince } = sender;
  if (report === null) return null;
  if (!canSend(sender)) {
    const mayComeBack = report.state === 'connected' || report.state === 'disconnected';
    return { ...all, at: mayComeBack ? (awaySince ?? 0) + rerouteAfterMs : 0 };
  }
  if (failingSince !== null) return { ...all, wanted: 'ready', at: failingSince + rerouteAfterMs };
  const mayLeave = kindsThatMayLeave(sender);
  const kinds = messageKinds.filter((kind) => !mayLeave.includes(kind));
  return kinds.length > 0 ? { at: 0, isDeleted, wanted: 'ready', kinds } : null;
}

/** Moves the backlog of numbers that cannot send it, slice by slice, so that however much there is holds up nothing else. */
export class Rerouting {
  readonly #parts: ReroutingParts;
  readonly #changed: Set<string>;
  /** Numbers with messages that are to move, and when they are looked at again after nobody else took any. */
  readonly #due = new Map<string, { movable: Movable; againAt: number; againMs: number }>();
  #configuration: Configuration | null = null;
  #readyCount = 0;
  #isRunning = false;

  constructor(parts: ReroutingParts) {
    this.#parts = parts;
    this.#changed = parts.senders.watch();
  }

  /** When there is something to move; null when there is not, or when it is being moved. */
  dueAt(): number | null {
    if (this.#isRunning) return null;
    this.#look();
    return earliest([...this.#due.values()].map(({ movable, againAt }) => Math.max(movable.at, againAt)));
  }

  /** Moves what is due. */
  async run(now: number): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#run(now);
    } finally {
      this.#isRunning = false;
    }
  }

  async #run(now: number): Promise<void> {
    this.#look();
    for (const [numberId, due] of this.#due) {
      if (Math.max(due.movable.at, due.againAt) > now) continue;
      const moved = await this.#runNumber(numberId, due.movable);
      due.againMs = moved > 0 ? firstAgainMs : Math.min(2 * due.againMs, againMsMax);
      due.againAt = Date.now() + due.againMs;
    }
  }

  /** Looks at all messages of a number that are to move, once; how many have gone. */
  async #runNumber(numberId: string, { kinds, wanted, isDeleted }: Movable): Promise<number> {
    let gone = 0;
    const places = sendLanes.flatMap((lane) => kinds.map((kind): [MessageKind, SendLane] => [kind, lane]));
    for (const [kind, lane] of places) {
      let after = '';
      for (;;) {
        const options = { after, movable: !isDeleted };
        const slice = this.#parts.backlog.first(numberId, kind, lane, sliceMax, options);
        const last = slice.at(-1);
        if (last === undefined) break;
        gone += this.#parts.change(() => this.#moveSlice(numberId, slice, wanted, isDeleted));
        if (slice.length < sliceMax) break;
        after = last.messageId;
        // Others have their turn.
        await scheduler.wait(0);
      }
    }
    return gone;
  }

  #moveSlice(
    numberId: string,
    slice: readonly AcceptedMessage[],
    wanted: 'ready' | 'any',
    isDeleted: boolean,
  ): number {
    const { senders, backlog, moves, failures, placement } = this.#parts;
    const configuration = this.#parts.configuration();
    if (configuration === null) return 0;
    const now = Date.now();
    const from = senders.of(numberId);
    const gone: string[] = [];
    for (const message of slice) {
      // What was offered to the number is its own until it answers.
      if (from.batch?.includes(message.messageId)) continue;
      const isMoved = moves.move(message, from, wanted, configuration, now);
      if (!isMoved && isDeleted) failures.fail(message, from, numberDeleted, now);
      if (isMoved || isDeleted) gone.push(message.messageId);
    }
    if (gone.length === 0) return 0;
    backlog.remove(from, gone);
    senders.save(from);
    placement.finish(now);
    return gone.length;
  }

  /** Looks which numbers have messages that are to move: at those that have changed. */
  #look(): void {
    const configuration = this.#parts.configuration();
    if (configuration === null) return;
    const { senders, handOver, currentPool } = this.#parts;
    currentPool.follow(configuration, Date.now());
    if (configuration !== this.#configuration) {
      this.#configuration = configuration;
      for (const { numberId, backlog } of senders.all) if (backlog > 0) this.#changed.add(numberId);
    }
    for (const numberId of this.#changed) {
      const sender = senders.of(numberId);
      const isDeleted = !configuration.senders.has(numberId);
      const waiting = sender.backlog - (sender.batch?.length ?? 0);
      const failingSince = handOver.failingSince(numberId);
      const movable =
        waiting > 0
          ? movableOf(sender, isDeleted, failingSince, configuration.settings.rerouteAfterMs)
          : null;
      if (movable === null) this.#due.delete(numberId);
      else if (!isSame(movable, this.#due.get(numberId)?.movable))
        this.#due.set(numberId, { movable, ...fresh });
    }
    this.#changed.clear();
    if (currentPool.readyCount === this.#readyCount) return;
    this.#readyCount = currentPool.readyCount;
    for (const due of this.#due.values()) Object.assign(due, fresh);
  }
}

/** Whether a look at the same messages would find what it found the last time. */
const isSame = (one: Movable, other?: Movable) => JSON.stringify(one) === JSON.stringify(other);

const fresh = { againAt: 0, againMs: firstAgainMs / 2 };
