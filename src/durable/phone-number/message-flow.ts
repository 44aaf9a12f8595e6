import type { InboundMessage, NetworkReceipt, SendOutcome } from '../../contract/bridge-frames.ts';
import type { EventRelay } from '../event-relay.ts';
import type { Housekeeping } from '../housekeeping.ts';
import type { Chats } from './chats.ts';
import type { Device } from './device.ts';
import type { Dispatch } from './dispatch.ts';
import type { GiveBacks } from './give-backs.ts';
import type { InboundNotes } from './inbound-notes.ts';
import { type Inbox, receivedEvent } from './inbox.ts';
import type { MessageEvents } from './message-events.ts';
import type { Moves } from './moves.ts';
import {
  type AdmittedMessage,
  type OutboundMessageState,
  projectionOf,
  providerMessageIdOf,
  type Sender,
} from './outbound-message.ts';
import type { Outbox } from './outbox.ts';
import type { SenderHealth } from './sender-health.ts';
import type { SenderPace } from './sender-pace.ts';
import { type Climb, climb, fail } from './status-ladder.ts';
import { eventOf, newStep, type Recipient, type Step } from './step-events.ts';

/** How long after its time a waiting message fails: a bridge with a slower clock has returned it by then. */
const expirySlackMs = 5_000;
/** Messages failed in one transaction, when a whole outbox fails at once. */
const failSliceMax = 200;
const unknownOutcome =
  'It was handed to the network and never acknowledged: whether it arrived is not known.';

export interface MessageFlowParts {
  outbox: Outbox;
  events: MessageEvents;
  moves: Moves;
  inbox: Inbox;
  inboundNotes: InboundNotes;
  giveBacks: GiveBacks;
  chats: Chats;
  dispatch: Dispatch;
  pace: SenderPace;
  health: SenderHealth;
  relay: EventRelay;
  housekeeping: Housekeeping;
}

/** What happens to messages, out and in: each change is stored together with the events that tell of it. */
export class MessageFlow {
  readonly #storage: DurableObjectStorage;
  readonly #parts: MessageFlowParts;

  constructor(storage: DurableObjectStorage, parts: MessageFlowParts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  /**
   * Stores messages and their `message.queued`, which was told already of one that comes from another number. What is
   * here changes nothing, nor what has gone on from here.
   */
  enqueue(messages: readonly AdmittedMessage[], device: Device, now: number): void {
    this.#storage.transactionSync(() => {
      for (const message of messages) if (this.#isNew(message)) this.#store(message, device, now);
    });
  }

  /** Neither here nor gone on from here. One that the account gives back while it is being asked for stays. */
  #isNew(message: AdmittedMessage): boolean {
    const { outbox, moves, dispatch } = this.#parts;
    const { queuedAt, messageId } = message;
    const known = outbox.findAt({ queuedAt, providerMessageId: providerMessageIdOf(messageId) });
    if (known?.isMoving && message.moves > known.moves) {
      moves.takeBack(message);
      dispatch.lookFrom(known.place ?? 0);
    }
    return !known && message.moves >= (moves.movesOfGone(messageId) ?? 0);
  }

  #store(admitted: AdmittedMessage, device: Device, now: number): void {
    const { outbox, events, pace, dispatch, relay, housekeeping } = this.#parts;
    relay.append(events.fallingBehind(admitted.queuedAt), now);
    pace.secure(admitted.queuedAt);
    const message = outbox.placed(admitted);
    if (message.moves > 0) {
      outbox.add(message, now, null, null, []);
      relay.append([{ envelope: null, message: projectionOf(message, device), device: null }], now);
      dispatch.lookFrom(message.place ?? 0);
    } else {
      const handOver = dispatch.handOverAtOnce(message, device, now);
      this.#tell(message, [newStep('queued', device, now)], device, now, (seq, steps) =>
        outbox.add(message, now, handOver, seq, steps),
      );
      if (handOver === null) dispatch.lookFrom(message.place ?? 0);
    }
    housekeeping.begin(now);
  }

  /** What became of messages that the bridge has been handed. */
  takeOutcomes(outcomes: readonly SendOutcome[], sender: Sender, now: number): void {
    const { outbox, dispatch, health } = this.#parts;
    for (const outcome of outcomes) {
      const id = providerMessageIdOf(outcome.messageId);
      const message = outbox.findById(outcome.messageId);
      if (message && outcome.outcome === 'returned' && message.place !== null) {
        dispatch.returned(message);
        continue;
      }
      dispatch.resolved(id);
      if (!message || outcome.outcome === 'returned') continue;
      const at = Date.parse(outcome.at);
      const isSent = outcome.outcome === 'sent';
      const taken = isSent ? climb(message, 'sent', at) : fail(message, outcome.errorMessage, at);
      this.#take(taken, sender, now);
      // A repeated fact says nothing new.
      if (taken.steps.length === 0) continue;
      health.note(
        isSent ? { kind: 'sent', ackMs: outcome.ackMs ?? null } : { kind: 'failed', code: outcome.code },
        now,
      );
    }
  }

  takeReceipts(receipts: readonly NetworkReceipt[], sender: Sender, now: number): void {
    const { outbox, dispatch, health } = this.#parts;
    for (const receipt of receipts) {
      dispatch.resolved(receipt.providerMessageId);
      const message = outbox.find(receipt.providerMessageId);
      if (!message) continue;
      const recipient = { phoneNumber: receipt.recipient, lid: receipt.recipientLid };
      if (message.status === 'queued') health.note({ kind: 'sent', ackMs: null }, now);
      this.#take(climb(message, receipt.kind, Date.parse(receipt.at)), sender, now, recipient);
    }
  }

  takeInbound(items: readonly InboundMessage[], receiver: Sender, now: number): void {
    const { relay, inbox, inboundNotes, chats, dispatch, housekeeping } = this.#parts;
    const fresh = inbox.newAmong(items, now);
    relay.append(
      fresh.map((item) => receivedEvent(item, receiver, now)),
      now,
    );
    for (const item of fresh) {
      // In a group nobody writes to the number; an alias is nobody who could be written to.
      if (item.chatType !== 'personal' || item.from === item.senderLid) continue;
      const at = Date.parse(item.at);
      chats.noteIn(item.from, at, now);
      inboundNotes.add(item.from, at, item.text);
      dispatch.lookAgain();
    }
    if (fresh.length > 0) housekeeping.begin(now);
  }

  /** When the first waiting message is over its time; null when none waits. */
  expiryDueAt(): number | null {
    const first = this.#parts.outbox.firstExpiry();
    return first === null ? null : first + expirySlackMs;
  }

  /** Fails what is over its time, with what is known of it. `hindrance`: why the number could not send. */
  expire(hindrance: string | null, sender: Sender, now: number): void {
    this.#failWaiting(now - expirySlackMs, sender, (handed) =>
      handed
        ? unknownOutcome
        : `It could not be sent in time. ${hindrance ?? 'The number had too much to send.'}`,
    );
  }

  /** Fails everything that still waits, but for what another number may have by now. */
  failAll(errorMessage: string, sender: Sender): void {
    this.#failWaiting(Number.MAX_SAFE_INTEGER, sender, () => errorMessage);
  }

  /** Fails what was handed over and has no answer, once there is no session left that could bring one. */
  failUnanswered(sender: Sender): void {
    const slice = () => this.#parts.outbox.unanswered(failSliceMax);
    this.#failSlices(slice, sender, () => unknownOutcome);
  }

  #failWaiting(expiredBy: number, sender: Sender, reason: (handed: boolean) => string): void {
    this.#failSlices(() => this.#parts.outbox.expired(expiredBy, failSliceMax), sender, reason);
  }

  #failSlices(
    nextSlice: () => OutboundMessageState[],
    sender: Sender,
    reason: (handed: boolean) => string,
  ): void {
    const { giveBacks, dispatch, events } = this.#parts;
    const now = Date.now();
    try {
      for (let slice = nextSlice(); slice.length > 0; slice = nextSlice()) {
        this.#storage.transactionSync(() => {
          for (const message of slice) {
            dispatch.resolved(message.providerMessageId);
            this.#take(fail(message, reason(message.handedTo !== null), now), sender, now);
            if (message.handedTo === null) giveBacks.add(message);
          }
        });
      }
    } catch (error) {
      events.reload();
      throw error;
    }
  }

  #take({ message, steps }: Climb, sender: Sender, now: number, recipient?: Recipient): void {
    if (steps.length === 0) return;
    const { outbox } = this.#parts;
    const told = steps.map((step) => newStep(step, sender, now, recipient));
    this.#tell(message, told, sender, now, (seq, own) => outbox.save(message, seq, own));
  }
  /** Writes the row of a message, and what its steps tell in it; in the relay, where the row is too old for that. */
  #tell(
    message: OutboundMessageState,
    steps: readonly Step[],
    sender: Sender,
    now: number,
    write: (seq: number | null, steps: readonly Step[]) => void,
  ): void {
    const { events, relay } = this.#parts;
    if (events.mayRide(message)) {
      write(relay.place(now), steps);
      return;
    }
    write(null, []);
    relay.append(
      steps.map((step) => eventOf(step, message, sender)),
      now,
    );
  }
}
