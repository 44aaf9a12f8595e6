import type { SenderSource } from '../../contract/message.ts';
import { log, logFault } from '../log.ts';
import type { AdmittedMessage, Taken } from '../phone-number/outbound-message.ts';
import type { Books } from './books.ts';
import type { Choosing } from './choosing.ts';
import { type Move, type Moves, nextMove } from './moves.ts';
import type { Turn } from './rotation.ts';
import type { SendCounts } from './send-counts.ts';
import type { RerouteRequest } from './sender-report.ts';
import type { Configuration } from './snapshot.ts';

/** Hand-overs at a time. */
const handOversMax = 16;

/** What rerouting needs of its account. */
export interface ReroutingParts {
  storage: DurableObjectStorage;
  moves: Moves;
  choosing: Choosing;
  counts: SendCounts;
  books: Books;
  enqueue(numberId: string, message: AdmittedMessage): Promise<Taken>;
}

/** A message on its way to another number. */
interface HandOver {
  message: AdmittedMessage;
  move: Move;
  /** The turn that its new number takes for it; null when it took it at an earlier attempt. */
  turn: Turn | null;
}

/** By now any number of the pool is welcome. */
const anyNumber = { pinnedNumberId: null, onPinFailure: 'strict' } as const;

/** How a message that has moved says why its sender sends it. */
const movedSource: Record<SenderSource, SenderSource> = {
  pinned: 'pinned_fallback',
  pinned_fallback: 'pinned_fallback',
  pool: 'pool',
  hint: 'hint_fallback',
  hint_fallback: 'hint_fallback',
};

/**
 * Gives messages that a number cannot send to other numbers. Where each goes is stored before it goes, so a repeat
 * after a crash gives it to the same number, which knows it by its id.
 */
export class Rerouting {
  readonly #parts: ReroutingParts;
  /** One call at a time: two hand-overs of one message must not cross. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: ReroutingParts) {
    this.#parts = parts;
  }

  /**
   * Says which of the messages are the number's no longer; the others are certainly still its own. Throws while that is
   * not known of some: then the call is to be repeated.
   */
  reroute(request: RerouteRequest, configuration: Configuration): Promise<{ moved: string[] }> {
    const run = this.#last.then(() => this.#reroute(request, configuration));
    this.#last = run.catch(() => {});
    return run;
  }

  async #reroute(
    { numberId, messages }: RerouteRequest,
    configuration: Configuration,
  ): Promise<{ moved: string[] }> {
    const moved: string[] = [];
    const handOvers: HandOver[] = [];
    this.#parts.storage.transactionSync(() => {
      for (const message of messages) {
        const next = this.#plan(message, numberId, configuration);
        if (next === 'done') moved.push(message.messageId);
        else if (next !== null) handOvers.push(next);
      }
    });
    let fault: unknown = null;
    for (let start = 0; start < handOvers.length; start += handOversMax) {
      const slice = handOvers.slice(start, start + handOversMax);
      const outcomes = await Promise.allSettled(
        slice.map(({ message, move }) => this.#parts.enqueue(move.to, message)),
      );
      this.#parts.storage.transactionSync(() => {
        for (const [index, handOver] of slice.entries()) {
          const outcome = outcomes[index];
          if (outcome?.status === 'rejected') fault = outcome.reason;
          else if (outcome && this.#settle(handOver, outcome.value, configuration))
            moved.push(handOver.message.messageId);
        }
      });
    }
    if (fault !== null) {
      logFault('message.reroute_failed', fault, { numberId });
      throw new Error('it is not known whether every message has moved', { cause: fault });
    }
    return { moved };
  }

  /** Where the message goes, stored before it goes; null when it has to stay. */
  #plan(message: AdmittedMessage, from: string, configuration: Configuration): HandOver | 'done' | null {
    const { moves, choosing } = this.#parts;
    const next = nextMove(moves.last(message.messageId), message.moves);
    if (next.kind === 'done') return 'done';
    const moved = { ...message, senderSource: movedSource[message.senderSource] };
    const move = { move: message.moves, from, settled: false };
    if (next.kind === 'again') {
      const isNewChat =
        message.chatType === 'personal' && !choosing.conversations.of(message.to).has(next.to);
      return { move: { ...move, to: next.to }, message: { ...moved, isNewChat }, turn: null };
    }
    const chosen = message.mayMove ? this.#choose(message, from, configuration) : null;
    if (chosen === null) return null;
    const { numberId, isNewChat, turn } = chosen;
    moves.store(message.messageId, { ...move, to: numberId });
    // At once, so that the messages of one call go round.
    choosing.give(numberId, message.messageId, turn);
    return { move: { ...move, to: numberId }, message: { ...moved, isNewChat }, turn };
  }

  /** The number other than `from` that would take the message now; null when there is none. */
  #choose({ to, chatType }: AdmittedMessage, from: string, configuration: Configuration) {
    const senders = configuration.senders.filter(({ numberId }) => numberId !== from);
    const others = { ...configuration, senders };
    const { choosing } = this.#parts;
    const judgement = choosing.judge({ to, chatType, senderHint: null }, others, anyNumber, Date.now());
    const { choice, candidates } = judgement;
    const turn = choosing.turn(judgement);
    if (choice === null || turn === null) return null;
    const chosen = candidates.find(({ numberId }) => numberId === choice.numberId);
    // It would only wait there for a restriction to end, and be sent on.
    if (choice.isNewChat && chosen?.health.status === 'restricted') return null;
    return { numberId: choice.numberId, isNewChat: choice.isNewChat, turn };
  }

  /** Whether the message is the other number's now. */
  #settle({ message, move, turn }: HandOver, taken: Taken, { settings }: Configuration): boolean {
    const { moves, books, counts, choosing } = this.#parts;
    const { messageId, queuedAt } = message;
    const { from, to } = move;
    choosing.senders.answered(to, messageId, taken);
    if (!taken.ok) {
      moves.undo(messageId, move);
      log('message.not_rerouted', { messageId, numberId: from, to, code: taken.code });
      return false;
    }
    moves.store(messageId, { ...move, settled: true });
    // It has arrived where it has left from.
    delete books.of(from).pending[messageId];
    choosing.senders.found(from, messageId);
    counts.takeOff(from, queuedAt);
    counts.add(to, queuedAt, turn);
    books.save(to);
    choosing.conversations.noteOutbound(message.to, to, Date.now(), settings.stickyHours);
    log('message.rerouted', { messageId, numberId: to, from, source: message.senderSource });
    return true;
  }
}
