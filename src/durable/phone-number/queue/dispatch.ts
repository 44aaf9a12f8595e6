import type { NumberDownFrame } from '../../../contract/bridge/bridge-frames.ts';
import { isAction } from '../../../contract/messages/actions.ts';
import { laneOf, type SendLane, sendLanes } from '../../../contract/messages/message.ts';
import { traceFields } from '../../../contract/trace.ts';
import { earliest } from '../../due-times.ts';
import { log } from '../../log.ts';
import type { BridgeLink } from '../bridge/bridge-link.ts';
import type { Device } from '../device/device.ts';
import type { SenderHealth } from '../health/sender-health.ts';
import { inFlightLimit, typingMs } from '../pacing/pacing.ts';
import type { RecipientPauses, SenderPace } from '../pacing/sender-pace.ts';
import { handedAsSeenBy, type Queue, type QueuedMessage } from './queue.ts';
import {
  changedFact,
  type Forecast,
  forecast,
  type Gates,
  messageHold,
  numberHold,
  type Outlook,
  type Waiting,
} from './turn.ts';
import { UnderWay } from './under-way.ts';

/** From this version of the protocol on a message bears its trace. */
const traceVersion = 11;

type SendFrame = Extract<NumberDownFrame, { type: 'send' }>;

interface DispatchParts {
  storage: DurableObjectStorage;
  queue: Queue;
  link: BridgeLink;
  pace: SenderPace;
  health: SenderHealth;
  pauses: RecipientPauses;
}

/**
 * Hands waiting messages to the bridge when their turn has come. They go in order, but a message that waits for its
 * recipient's pause does not delay others. Over the next link everything unresolved is handed over again; the bridge has a
 * journal, and sends none of it twice.
 */
export class Dispatch {
  readonly #parts: DispatchParts;
  readonly #underWay = new UnderWay();
  #linkId: string | null = null;
  /** When to look again; null when only an answer, a link or a new message can change anything. */
  #wakeAt: number | null = null;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#wakeAt = parts.queue.all.length > 0 ? 1 : null;
    this.reload();
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#underWay.clear();
    const link = this.#parts.link.ready;
    this.#linkId = link?.linkId ?? null;
    if (!link) return;
    // What was handed over on the current link is in progress. The order is that of the hand-overs, since callers ask for the
    // oldest.
    const byHandOver = this.#parts.queue.all.toSorted((a, b) => (a.handedAt ?? 0) - (b.handedAt ?? 0));
    for (const { providerMessageId, handedTo, handedAt, handOver } of byHandOver) {
      if (handedAt === null || handedTo !== link.bridgeId || handedAt < link.readyAt) continue;
      this.#underWay.note(providerMessageId, handedAt, handOver > 1);
    }
  }

  /** Call whenever there may be work or room. */
  hand(device: Device, now: number): void {
    this.send(this.handOver(device, now));
  }

  /** Notes as handed over what may leave now, in a transaction. What it returns is to be sent once that is stored. */
  handOver(device: Device, now: number): SendFrame | null {
    const link = this.#parts.link.ready;
    this.#wakeAt = null;
    if (device.state !== 'connected') this.#underWay.sessionDown();
    if (!link || device.state !== 'connected' || device.removedAt !== null) return null;
    if (link.linkId !== this.#linkId) {
      this.#underWay.clear();
      this.#linkId = link.linkId;
    }
    const { due, wakeAt } = this.#due(device, now);
    const frame = due.length > 0 ? this.#note(due, link, device, now) : null;
    this.#wakeAt = due.length > 0 ? this.#due(device, now).wakeAt : wakeAt;
    return frame;
  }

  send(frame: SendFrame | null): void {
    if (frame !== null) this.#parts.link.send(frame);
  }

  /** When messages may leave that cannot yet; null when only an answer or a link can change that. */
  dueAt(device: Device | null): number | null {
    return device?.state === 'connected' && this.#parts.link.ready ? this.#wakeAt : null;
  }

  /** The network has answered for it, in whatever way. */
  resolved(providerMessageId: string): void {
    this.#underWay.resolved(providerMessageId);
  }

  /** When the oldest message under way has waited too long for an answer; null when none is under way. */
  ackDueAt(): number | null {
    return this.#underWay.ackDueAt();
  }

  /** See {@link UnderWay.dropOverdue}. */
  dropOverdue(now: number): { dropped: number; unanswered: number } {
    return this.#underWay.dropOverdue(this.#parts.queue.all, now);
  }

  /** Why a message of the queue waits, and when it is expected to leave; nulls for one that is with the bridge. */
  outlook(message: QueuedMessage, device: Device, now: number): Outlook {
    if (this.#underWay.has(message.providerMessageId)) return { heldReason: null, expectedAt: null };
    const ahead = this.#waiting.indexOf(message);
    const { heldReason, expectedAt } = this.expect(waitingOf(message), message.to, ahead, device, now);
    return { heldReason, expectedAt: heldReason === 'not_connected' ? null : expectedAt };
  }

  /** The same for a message that is not there yet, behind `ahead` others. */
  expect(message: Waiting, to: string, ahead: number, device: Device, now: number): Forecast {
    return forecast(message, this.#lastOutAt(to, now), ahead, this.#gates(device, now));
  }

  /** Messages that wait, are not under way, and leave before one of this lane that comes now. */
  waitingBefore(lane: SendLane): number {
    const place = sendLanes.indexOf(lane);
    return this.#waiting.filter(({ origin }) => sendLanes.indexOf(laneOf(origin)) <= place).length;
  }

  /** Those that certainly never left, and that the account is to judge anew: what it decided by has changed. */
  overtakenByFacts(device: Device, now: number): Set<QueuedMessage> {
    const gates = this.#gates(device, now);
    return new Set(
      this.#parts.queue.unhanded.filter((message) => changedFact(waitingOf(message), gates) !== null),
    );
  }

  #lastOutAt(recipient: string, now: number): number | null {
    const { pauses, pace } = this.#parts;
    return pace.pacing.recipientIntervalMs > 0 ? pauses.lastOutAt(recipient, now) : null;
  }

  get #waiting(): QueuedMessage[] {
    return this.#parts.queue.all.filter(({ providerMessageId }) => !this.#underWay.has(providerMessageId));
  }

  #gates(device: Device, now: number): Gates {
    const { pace, health } = this.#parts;
    return {
      now,
      isConnected: device.state === 'connected',
      health: health.at(now),
      pacing: pace.pacing,
      pace: pace.at(now),
      pairedAt: device.pairedAt ?? device.connectedAt,
      // Who is tried after a rest is tried with one message, whichever that is.
      inFlight: health.at(now).isOnTrial ? this.#underWay.inFlight : this.#underWay.inFlightAnew,
    };
  }

  /** The messages whose turn it is, as many as may leave together, and when to look again for the others. */
  #due(device: Device, now: number): { due: QueuedMessage[]; wakeAt: number | null } {
    const waiting = this.#waiting;
    if (waiting.length === 0) return { due: [], wakeAt: null };
    const gates = this.#gates(device, now);
    const hold = numberHold(gates);
    if (hold) return { due: [], wakeAt: hold.until };
    const { pacing, health } = gates;
    // Where there is a delay between two messages, no two leave together.
    const isOneByOne = pacing.maxDelayMs > 0 || health.isOnTrial;
    let room = isOneByOne ? 1 : inFlightLimit(pacing, false) - gates.inFlight;
    const due: QueuedMessage[] = [];
    /** Recipients whose messages leave now, or wait for themselves: what follows to the same one keeps behind. */
    const heldRecipients = new Set<string>();
    const leaving = new Set<string>();
    let wakeAt: number | null = null;
    let { pace } = gates;
    for (const message of waiting) {
      if (room === 0) break;
      if (message.expiresAt <= now || heldRecipients.has(message.to)) continue;
      const lastOutAt = leaving.has(message.to) ? now : this.#lastOutAt(message.to, now);
      const held = messageHold(waitingOf(message), lastOutAt, { ...gates, pace });
      if (held) {
        heldRecipients.add(message.to);
        wakeAt = earliest([wakeAt, held.until]);
        continue;
      }
      due.push(message);
      if (isOneByOne || message.handedTo === null) room -= 1;
      if (isAction(message.content)) continue;
      leaving.add(message.to);
      if (message.handedTo === null) pace = { ...pace, sent: pace.sent + 1 };
    }
    return { due, wakeAt };
  }

  #note(
    due: readonly QueuedMessage[],
    { bridgeId, version, readyAt }: { bridgeId: string; version: number | null; readyAt: number },
    device: Device,
    now: number,
  ): SendFrame {
    // Over this link, and not before it.
    const handedAt = Math.max(now, readyAt);
    const { queue, pace, pauses, storage } = this.#parts;
    const handedBefore = due.map((message) => handedAsSeenBy(bridgeId, message));
    storage.transactionSync(() => {
      pace.noteLeaving(
        due.filter(({ handedTo, content }) => handedTo === null && !isAction(content)).length,
        now,
      );
      for (const message of due) {
        queue.noteHandOver(message, bridgeId, handedAt);
        const isTalk = !isAction(message.content);
        if (pace.pacing.recipientIntervalMs > 0 && isTalk) pauses.noteOut(message.to, now);
      }
    });
    for (const [index, message] of due.entries()) {
      const { providerMessageId, messageId, handOver, traceparent } = message;
      this.#underWay.note(providerMessageId, handedAt, handedBefore[index] !== null);
      if (traceparent === undefined) continue;
      const { numberId } = device;
      log('message.handed_over', {
        numberId,
        messageId,
        handOver,
        bridgeId,
        ...traceFields({ traceparent }),
      });
    }
    return {
      type: 'send',
      messages: due.map(
        (
          { messageId, providerMessageId, to, chatType, content, handOver, expiresAt, traceparent },
          index,
        ) => ({
          messageId,
          providerMessageId,
          to,
          chatType,
          content,
          handedTo: handedBefore[index] ?? null,
          handOver,
          expiresInMs: expiresAt - now,
          typingMs: typingMs(pace.pacing, content),
          ...(traceparent !== undefined && (version ?? 0) >= traceVersion && { traceparent }),
        }),
      ),
    };
  }
}

/** The day counts a message when it leaves for the first time, and no more when it came back and never left. */
const waitingOf = ({ isNewChat, isAnswer, handedTo, content }: QueuedMessage): Waiting => ({
  isNewChat,
  isAnswer: isAnswer ?? true,
  hasBeenHanded: handedTo !== null,
  isAction: isAction(content),
});
