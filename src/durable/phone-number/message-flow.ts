import type { InboundMessage, NetworkReceipt, SendOutcome } from '../../contract/bridge-frames.ts';
import type { EventRelay } from '../event-relay.ts';
import type { Dispatch } from './dispatch.ts';
import type { Inbox } from './inbox.ts';
import {
  type AdmittedMessage,
  providerMessageIdOf,
  type Recipient,
  type Sender,
  stepEvent,
} from './outbound-message.ts';
import type { Outbox } from './outbox.ts';
import { type Climb, climb, fail } from './status-ladder.ts';

/** How long after its time a waiting message fails: a bridge with a slower clock has returned it by then. */
const expirySlackMs = 5_000;
/** Messages failed in one transaction, when a whole outbox fails at once. */
const failSliceMax = 200;

/** What happens to messages, out and in: each change is stored together with the events that tell of it. */
export class MessageFlow {
  readonly #storage: DurableObjectStorage;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #dispatch: Dispatch;
  readonly #relay: EventRelay;

  constructor(
    storage: DurableObjectStorage,
    parts: { outbox: Outbox; inbox: Inbox; dispatch: Dispatch; relay: EventRelay },
  ) {
    this.#storage = storage;
    this.#outbox = parts.outbox;
    this.#inbox = parts.inbox;
    this.#dispatch = parts.dispatch;
    this.#relay = parts.relay;
  }

  /** Stores a message and its `message.queued`; one that is there already changes nothing. */
  enqueue(message: AdmittedMessage, sender: Sender, now: number): void {
    this.#storage.transactionSync(() => {
      const state = this.#outbox.add(message);
      this.#relay.append([stepEvent('queued', state, sender, now)], now);
    });
  }

  /** What became of messages that the bridge has been handed. */
  takeOutcomes(outcomes: readonly SendOutcome[], sender: Sender, now: number): void {
    for (const outcome of outcomes) {
      const id = providerMessageIdOf(outcome.messageId);
      this.#dispatch.resolved(id);
      const message = this.#outbox.find(id);
      if (!message) continue;
      if (outcome.outcome === 'sent') {
        this.#take(climb(message, 'sent', Date.parse(outcome.at)), sender, now);
      } else if (outcome.outcome === 'failed') {
        this.#take(fail(message, outcome.errorMessage, Date.parse(outcome.at)), sender, now);
      } else if (message.place !== null) {
        this.#outbox.noteHolder(id, null, null);
        this.#dispatch.returned(message.place);
      }
    }
  }

  takeReceipts(receipts: readonly NetworkReceipt[], sender: Sender, now: number): void {
    for (const receipt of receipts) {
      this.#dispatch.resolved(receipt.providerMessageId);
      const message = this.#outbox.find(receipt.providerMessageId);
      if (!message) continue;
      const recipient = { phoneNumber: receipt.recipient, lid: receipt.recipientLid };
      this.#take(climb(message, receipt.kind, Date.parse(receipt.at)), sender, now, recipient);
    }
  }

  takeInbound(items: readonly InboundMessage[], receiver: Sender, now: number): void {
    this.#relay.append(this.#inbox.take(items, receiver, now), now);
  }

  /** When the first waiting message is over its time; null when none waits. */
  expiryDueAt(): number | null {
    const first = this.#outbox.firstExpiry();
    return first === null ? null : first + expirySlackMs;
  }

  /** Fails what is over its time, with what is known of it. `hindrance`: why the number could not send. */
  expire(hindrance: string | null, sender: Sender, now: number): void {
    this.#failWaiting(now - expirySlackMs, sender, (handed) =>
      handed
        ? 'It was handed to the network and never acknowledged: whether it arrived is not known.'
        : `It could not be sent in time. ${hindrance ?? 'The number had too much to send.'}`,
    );
  }

  /** Fails everything that still waits. */
  failAll(errorMessage: string, sender: Sender): void {
    this.#failWaiting(Number.MAX_SAFE_INTEGER, sender, () => errorMessage);
  }

  #failWaiting(expiredBy: number, sender: Sender, reason: (handed: boolean) => string): void {
    const now = Date.now();
    for (;;) {
      const slice = this.#outbox
        .waitingAfter(0, failSliceMax)
        .filter(({ expiresAt }) => expiresAt <= expiredBy);
      if (slice.length === 0) return;
      this.#storage.transactionSync(() => {
        for (const message of slice) {
          this.#dispatch.resolved(message.providerMessageId);
          this.#take(fail(message, reason(message.handedTo !== null), now), sender, now);
          if (message.handedTo === null) this.#outbox.addGiveBack(message);
        }
      });
    }
  }

  #take({ message, steps }: Climb, sender: Sender, now: number, recipient?: Recipient): void {
    if (steps.length === 0) return;
    this.#outbox.save(message);
    this.#relay.append(
      steps.map((step) => stepEvent(step, message, sender, now, recipient)),
      now,
    );
  }
}
