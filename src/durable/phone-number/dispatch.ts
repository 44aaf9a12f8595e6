import type { HeldReason } from '../../contract/sender-settings.ts';
import type { BridgeLink } from './bridge-link.ts';
import type { Chats } from './chats.ts';
import type { Device } from './device.ts';
import type { HandOver, MessageKey } from './message-rows.ts';
import { iso, type OutboundMessageState } from './outbound-message.ts';
import type { Outbox, WaitingMessage } from './outbox.ts';
import { ackTimeoutMs, inFlightLimit, typingMs } from './pacing.ts';
import type { SenderHealth } from './sender-health.ts';
import type { SenderPace } from './sender-pace.ts';
import { forecast, type Gates, messageHold, numberHold, type Waiting } from './turn.ts';

/** Waiting messages looked at in one query. */
const pageSize = 64;
/** A time that has come. */
const atOnce = 1;

/** A message that is stored as handed over, and is still to be sent. */
interface Leaving extends MessageKey {
  place: number;
  handedTo: string;
  handedAt: number;
}

export interface DispatchParts {
  storage: DurableObjectStorage;
  outbox: Outbox;
  link: BridgeLink;
  pace: SenderPace;
  health: SenderHealth;
  chats: Chats;
}

/**
 * Hands waiting messages to the bridge when their turn has come: in order, except that one which waits for its own
 * recipient holds up nobody else's. What it holds in memory is only how far it has come over the present link, and
 * follows from the rows; over the next link everything unresolved is handed again, and the bridge, which keeps a
 * journal of what it has handed on, sends none of it twice.
 */
export class Dispatch {
  readonly #parts: DispatchParts;
  /** When each message under way was handed over, by the network's id. */
  readonly #inFlight = new Map<string, number>();
  /** Everything that was handed over this link and has no answer yet, whether or not it still holds up others. */
  readonly #handed = new Set<string>();
  /** Recipients whose messages wait for themselves: what follows to the same one waits too. */
  readonly #heldRecipients = new Set<string>();
  /** Everything in the outbox up to here has been handed over, or is held for its recipient. */
  #lookedThrough = 0;
  #linkReadyAt: number | null = null;
  /** When to look again; at once while this life of the object has not looked yet. */
  #wakeAt: number | null = atOnce;
  /** Stored as handed over to the link that was ready then: they go out after the commit. */
  #leaving: Leaving[] = [];
  /** When the first of those that are held for their recipients may be free. */
  #holdsEndAt = Number.POSITIVE_INFINITY;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    const link = parts.link.ready;
    if (!link) return;
    // An earlier life of the object has handed these over the very link that is still there.
    this.#linkReadyAt = link.readyAt;
    for (const { providerMessageId, handedAt } of parts.outbox.handedSince(link.readyAt, link.bridgeId)) {
      this.#handed.add(providerMessageId);
      this.#inFlight.set(providerMessageId, handedAt);
    }
  }

  /**
   * How a new message is handed over as it is stored, which saves writing it once more, where it may leave at once: then
   * `hand` sends it. Null where it has to wait. Call inside the transaction that stores it so.
   */
  handOverAtOnce(message: OutboundMessageState, device: Device, now: number): HandOver | null {
    const { link, pace, chats } = this.#parts;
    const { place, queuedAt, providerMessageId, expiresAt } = message;
    const ready = link.ready;
    if (!ready || ready.readyAt !== this.#linkReadyAt || device.removedAt !== null) return null;
    if (place === null || place <= this.#lookedThrough || expiresAt <= now) return null;
    const gates = this.#gates(device, now);
    if (numberHold(gates) || this.#hasUnhanded()) return null;
    if (messageHold({ ...message, hasBeenHanded: false }, chats.find(message.to, now), gates)) return null;
    if (pace.pacing.recipientIntervalMs > 0) chats.noteOut(message.to, now);
    const handedTo = ready.bridgeId;
    this.#leaving.push({ queuedAt, providerMessageId, place, handedTo, handedAt: now });
    this.#lookedThrough = place;
    return { handedTo, handedAt: now, pace: pace.noteLeaving(message, 1, now) };
  }

  /** Call whenever there may be work or room. */
  hand(device: Device, now: number): void {
    const link = this.#parts.link.ready;
    this.#wakeAt = null;
    this.#sendLeaving(device);
    // What is under way when a session goes down is resolved after the next login: it says nothing about the network.
    if (device.state !== 'connected') {
      this.#inFlight.clear();
      this.#parts.outbox.lineUp();
    }
    if (!link || device.state !== 'connected' || device.removedAt !== null) return;
    if (link.readyAt !== this.#linkReadyAt) {
      this.#inFlight.clear();
      this.#handed.clear();
      this.#parts.outbox.lineUp();
      this.lookAgain();
      this.#linkReadyAt = link.readyAt;
    }
    if (this.#holdsEndAt <= now) this.lookAgain();
    if (!this.#hasUnhanded()) return;
    const due = this.#takeDue(device, now);
    if (due.length > 0) this.#handOver(due, link.bridgeId, now);
    this.#wakeAt = this.#nextLook(device, now);
  }

  /** When messages may leave that cannot yet; null when only an answer or a link can change that. */
  dueAt(device: Device | null): number | null {
    if (device?.state !== 'connected' || !this.#parts.link.ready) return null;
    return this.#wakeAt === atOnce && !this.#hasUnhanded() ? null : this.#wakeAt;
  }

  /** What was held may be free now: settings, health or a chat have changed. */
  lookAgain(): void {
    this.#lookedThrough = 0;
    this.#heldRecipients.clear();
    this.#holdsEndAt = Number.POSITIVE_INFINITY;
  }

  /** A message has taken a place before others. */
  lookFrom(place: number): void {
    this.#lookedThrough = Math.min(this.#lookedThrough, place - 1);
  }

  /** The network has answered for it, in whatever way. */
  resolved(providerMessageId: string): void {
    this.#inFlight.delete(providerMessageId);
    this.#handed.delete(providerMessageId);
  }

  /** It came back and never left: it is handed over again, in its place, and counted only then. */
  returned(message: OutboundMessageState): void {
    const { handedAt, place } = message;
    this.resolved(message.providerMessageId);
    this.#parts.outbox.noteReturned(message);
    if (handedAt !== null) this.#parts.pace.noteReturned(handedAt);
    if (place !== null) this.lookFrom(place);
  }

  /** When the oldest message under way has waited too long for an answer; null when none is under way. */
  ackDueAt(): number | null {
    const first = this.#inFlight.values().next();
    return first.done ? null : first.value + ackTimeoutMs;
  }

  /** Lets those that have waited too long no longer hold up the others; how many. */
  dropOverdue(now: number): number {
    let dropped = 0;
    for (const [id, handedAt] of this.#inFlight) {
      if (handedAt + ackTimeoutMs > now) break;
      this.#inFlight.delete(id);
      this.#parts.outbox.noteOverdue(id);
      dropped += 1;
    }
    return dropped;
  }

  /** Why a message of the outbox waits, and when it is expected to leave; nulls for one that is with the bridge. */
  outlook(
    message: OutboundMessageState,
    device: Device,
    now: number,
  ): { heldReason: HeldReason | null; expectedAt: number | null } {
    if (message.place === null || this.#handed.has(message.providerMessageId)) {
      return { heldReason: null, expectedAt: null };
    }
    const ahead = this.#parts.outbox.countWaiting(message.place - 1) - this.#handed.size;
    const waiting = { ...message, hasBeenHanded: message.handedTo !== null };
    const { heldReason, expectedAt } = this.expect(waiting, message.to, Math.max(0, ahead), device, now);
    return { heldReason, expectedAt: heldReason === 'not_connected' ? null : expectedAt };
  }

  /** The same for a message that is not there yet, behind `ahead` others. */
  expect(message: Waiting, to: string, ahead: number, device: Device, now: number) {
    return forecast(message, this.#parts.chats.find(to, now), ahead, this.#gates(device, now));
  }

  /** Messages that wait and have not been handed over. */
  get waitingCount(): number {
    return Math.max(0, this.#parts.outbox.countWaiting() - this.#handed.size);
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
      inFlight: this.#inFlight.size + this.#leaving.length,
    };
  }

  #hasUnhanded(): boolean {
    if (this.#heldRecipients.size > 0) return true;
    const { outbox } = this.#parts;
    return outbox.lastPlace > this.#lookedThrough && outbox.turnsAfter(this.#lookedThrough, 1).length > 0;
  }

  /** The messages whose turn it is, as many as may leave together; notes how far it has looked. */
  #takeDue(device: Device, now: number): WaitingMessage[] {
    const gates = this.#gates(device, now);
    if (numberHold(gates)) return [];
    const { pacing, health } = gates;
    // Where there is a delay between two messages, no two leave together.
    const room = pacing.maxDelayMs > 0 ? 1 : inFlightLimit(pacing, health.isOnTrial) - gates.inFlight;
    const due: WaitingMessage[] = [];
    const chosen = new Set<string>();
    let pace = gates.pace;
    // Mostly the first ones may leave; more is read only where they may not.
    for (let size = Math.min(Math.max(room, 1), pageSize); ; size = pageSize) {
      const page = this.#parts.outbox.turnsAfter(this.#lookedThrough, size);
      for (const message of page) {
        if (due.length === room) return due;
        this.#lookedThrough = message.place;
        if (this.#handed.has(message.providerMessageId) || message.expiresAt <= now) continue;
        const chat = this.#parts.chats.find(message.to, now);
        // It leaves now, so the next one to the same recipient keeps its distance from it.
        if (chosen.has(message.to)) chat.lastOutAt = now;
        const hold = this.#heldRecipients.has(message.to)
          ? { until: null }
          : messageHold(message, chat, { ...gates, pace });
        if (hold) {
          this.#heldRecipients.add(message.to);
          this.#holdsEndAt = Math.min(this.#holdsEndAt, hold.until ?? Number.POSITIVE_INFINITY);
          continue;
        }
        due.push(message);
        chosen.add(message.to);
        if (!message.hasBeenHanded) pace = { ...pace, sent: pace.sent + 1 };
      }
      if (due.length === room || page.length < size) return due;
    }
  }

  #handOver(due: readonly WaitingMessage[], bridgeId: string, now: number): void {
    const { outbox, pace, chats, storage } = this.#parts;
    const messages = due.map((key) => outbox.findAt(key)).filter((message) => message !== null);
    storage.transactionSync(() => {
      const counted = due.filter((message) => !message.hasBeenHanded).length;
      for (const message of messages) {
        const note = message === messages.at(-1) ? pace.noteLeaving(message, counted, now) : null;
        outbox.noteHandOver(message, { handedTo: bridgeId, handedAt: now, pace: note });
        if (pace.pacing.recipientIntervalMs > 0) chats.noteOut(message.to, now);
      }
    });
    this.#send(messages, now);
  }

  /** What was stored as handed over; what of it was not stored after all, since its transaction came to nothing, is not. */
  #sendLeaving(device: Device): void {
    const { outbox, link } = this.#parts;
    const leaving = this.#leaving;
    if (leaving.length === 0) return;
    this.#leaving = [];
    const isReady = device.state === 'connected' && link.ready?.readyAt === this.#linkReadyAt;
    const messages = leaving.flatMap((key) => {
      const message = outbox.findAt(key);
      const isStored = message?.handedTo === key.handedTo && message.handedAt === key.handedAt;
      return isReady && isStored && link.ready?.bridgeId === key.handedTo ? [message] : [];
    });
    // To be looked at again, like all that have been handed over and are not known to be with the bridge.
    if (messages.length < leaving.length) {
      outbox.lineUp();
      this.lookFrom(Math.min(...leaving.map(({ place }) => place)));
    }
    const [first] = leaving;
    if (messages.length === 0 || !first) return;
    this.#send(
      messages.map((message) => ({ ...message, handedTo: null })),
      first.handedAt,
    );
  }

  /** Messages that are stored as handed over; `handedTo` is who had them before. */
  #send(messages: readonly OutboundMessageState[], now: number): void {
    const { link, pace } = this.#parts;
    for (const { providerMessageId } of messages) {
      this.#inFlight.set(providerMessageId, now);
      this.#handed.add(providerMessageId);
    }
    link.send({
      type: 'send',
      messages: messages.map(
        ({ messageId, providerMessageId, to, chatType, content, handedTo, expiresAt }) => ({
          messageId,
          providerMessageId,
          to,
          chatType,
          content,
          handedTo,
          expiresAt: iso(expiresAt),
          typingMs: typingMs(pace.pacing, content),
        }),
      ),
    });
  }

  #nextLook(device: Device, now: number): number | null {
    if (!this.#hasUnhanded()) return null;
    const hold = numberHold(this.#gates(device, now));
    if (hold) return hold.until;
    return Number.isFinite(this.#holdsEndAt) ? this.#holdsEndAt : null;
  }
}
