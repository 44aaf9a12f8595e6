import { DurableObject } from 'cloudflare:workers';
import { linkCloseCodes } from '../../contract/bridge-frames.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { HealthStatus, HeldReason, Pacing } from '../../contract/sender-settings.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { newUuid } from '../new-ids.ts';
import { migrateObject } from '../object-migrations.ts';
import type { MessageProjection } from '../relayed-events.ts';
import { BridgeConversation } from './bridge-conversation.ts';
import { identityOf } from './bridge-link.ts';
import { type Device, disconnected, instruction, newDevice, type Pairing } from './device.ts';
import type { Health } from './health.ts';
import { phoneNumberMigrations } from './migrations.ts';
import { assembleNumber, type NumberParts, reloadNumber } from './number-parts.ts';
import { type AdmittedMessage, type Enqueued, projectionOf, type Taken } from './outbound-message.ts';
import type { HealthChange } from './sender-health.ts';
import type { Forecast } from './turn.ts';
import { deletedReason, relayFault, upkeepTimers } from './upkeep.ts';

type Done = { ok: true };
const done: Done = { ok: true };

/**
 * One paired number. Owns the device's state, the outbox with every message's status, the link to the bridge, and the
 * vault of the session. All of it is in SQLite and survives eviction; the fields below are caches or belong to a
 * socket. An accepted message stays until it was sent or has failed; its events stay until they are stored elsewhere.
 */
export class PhoneNumber extends DurableObject<Env> {
  readonly #parts: NumberParts;
  readonly #conversation: BridgeConversation;
  readonly #timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, phoneNumberMigrations);
    const parts = assembleNumber(ctx, env);
    this.#parts = parts;
    this.#conversation = new BridgeConversation(ctx.storage, parts, () => ctx.waitUntil(this.#askFleet()));
    this.#timers = new NamedTimers(
      ctx.storage,
      upkeepTimers(parts, {
        storage: ctx.storage,
        account: (accountId) => this.env.ACCOUNT.getByName(accountId),
        settle: () => this.#settle(),
        askFleet: () => this.#askFleet(),
      }),
    );
    // A crash of the runtime takes the sockets without a close: note it, so that the grace has a beginning.
    this.#noteLinkLoss();
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- verbs of the account ----------------------------------------------------------------------------------------

  /** Makes this object the number's. Repeating it changes nothing. */
  provision(input: { accountId: string; numberId: string }): void {
    if (this.#parts.device.current) return;
    this.#parts.device.change(newDevice(input.accountId, input.numberId), Date.now());
    this.#settle();
  }

  /** One message, as in {@link enqueueMany}. */
  enqueue(message: AdmittedMessage): Taken {
    const [taken] = this.enqueueMany([message], []).taken;
    if (taken === undefined) throw new Error('neither taken nor refused');
    return taken;
  }

  /**
   * Stores messages and their `message.queued` in one transaction: from then on each ends in `sent` or better, or in
   * `failed`. Repeating it changes nothing. Refuses, each by itself, what the account has disowned, and anything once
   * it is deleted. `earlier`: asked about as in {@link resolveAdmissions}, unless all are refused.
   */
  enqueueMany(messages: readonly AdmittedMessage[], earlier: readonly string[]): Enqueued {
    const device = this.#parts.device.current;
    const refusals = messages.map((message) => this.#refusalOf(message, device));
    const welcome = messages.filter((_, index) => refusals[index] === null);
    const now = Date.now();
    let missing: string[] = [];
    if (device && welcome.length > 0) {
      this.#store(welcome, device, now);
      missing = this.resolveAdmissions(earlier).missing;
    }
    const takenAt = this.#parts.reports.stamp(now);
    if (welcome.length > 0) this.#settle();
    return { taken: refusals.map((refusal) => refusal ?? { ok: true, takenAt }), missing };
  }

  #store(messages: readonly AdmittedMessage[], device: Device, now: number): void {
    try {
      this.#parts.messages.enqueue(messages, device, now);
    } catch (error) {
      reloadNumber(this.#parts);
      throw error;
    }
  }

  #refusalOf({ messageId }: AdmittedMessage, device: Device | null): Refusal | null {
    const { outbox } = this.#parts;
    const isKnown = () => outbox.findById(messageId) !== null;
    if (!device || (device.removedAt !== null && !isKnown())) {
      return refuse('SENDER_UNAVAILABLE', 'The sender was deleted.');
    }
    if (outbox.isDisowned(messageId)) {
      return refuse('CONFLICT', 'The send was given up before it arrived.');
    }
    return null;
  }

  /**
   * Which of these messages it lacks, for an account that lost the answer to its `enqueue`. They are disowned: an
   * `enqueue` of one that is still on its way will be refused.
   */
  resolveAdmissions(messageIds: readonly string[]): { missing: string[] } {
    const { outbox, moves } = this.#parts;
    // One that went on to another number was taken here first.
    const missing = messageIds.filter(
      (messageId) => outbox.findById(messageId) === null && moves.movesOfGone(messageId) === null,
    );
    if (missing.length === 0) return { missing };
    this.ctx.storage.transactionSync(() => {
      for (const messageId of missing) outbox.disown(messageId, Date.now());
    });
    return { missing };
  }

  /** The message as it stands now, with why it waits and until when; null for one that is not, or no longer, here. */
  message(
    messageId: string,
  ): (MessageProjection & { heldReason: HeldReason | null; expectedAt: number | null }) | null {
    const device = this.#parts.device.current;
    const message = this.#parts.outbox.findById(messageId);
    if (!message || !device) return null;
    return { ...projectionOf(message, device), ...this.#parts.dispatch.outlook(message, device, Date.now()) };
  }

  /** When a message to this recipient would leave if it were sent now, and what would make it wait. */
  forecast(input: { recipient: string; isNewChat: boolean }): Forecast {
    const { device, dispatch } = this.#parts;
    const chatType = input.recipient.includes('@') ? ('group' as const) : ('personal' as const);
    const message = { chatType, isNewChat: input.isNewChat, hasBeenHanded: false };
    return dispatch.expect(message, input.recipient, dispatch.waitingCount, device.known, Date.now());
  }

  /** Asks the network whether a phone number is there. Refused while the network cannot be asked, or does not answer. */
  async checkRecipient(phoneNumber: string): Promise<{ ok: true; onNetwork: boolean } | Refusal> {
    const device = this.#parts.device.current;
    if (device?.state !== 'connected') return refuse('SENDER_UNAVAILABLE', 'The sender is not connected.');
    return this.#parts.contacts.ask(phoneNumber);
  }

  /** Takes over how fast the number may speak, from the next message on. */
  configure(pacing: Pacing): void {
    const { pace, dispatch, reports } = this.#parts;
    pace.configure(pacing, Date.now());
    dispatch.lookAgain();
    reports.forgetNoticed();
    this.#settle();
  }

  /** How long it may be away before its messages go to another number, as the account sets it; milliseconds. */
  configureReroute(afterMs: number): void {
    this.#parts.reroute.configure(afterMs);
    this.#timers.arm();
  }

  /** How the number does as a sender, and the latest changes of that, newest first. */
  health(): Health & { changes: HealthChange[] } {
    const { health, device } = this.#parts;
    return { ...health.shown(device.known, Date.now()), changes: health.changes() };
  }

  /** The consumer has stored these events. */
  confirmEvents(seqs: number[]): void {
    this.#parts.relay.confirm(seqs);
    this.ctx.waitUntil(this.#parts.relay.flush(relayFault));
  }

  // --- verbs of the dashboard --------------------------------------------------------------------------------------

  device(): Pick<Device, 'state' | 'phoneNumber' | 'reason' | 'connectedAt' | 'lastSeenAt'> & {
    health: HealthStatus;
  } {
    const device = this.#parts.device.known;
    const { state, phoneNumber, reason, connectedAt, lastSeenAt } = device;
    const health = this.#parts.health.shown(device, Date.now()).status;
    return { state, phoneNumber, reason, connectedAt, lastSeenAt, health };
  }

  /** What to show to the person who pairs; null when no pairing is under way. */
  pairing(): Pick<Pairing, 'method' | 'qr' | 'code' | 'expiresAt'> | null {
    const pairing = this.#parts.device.current?.pairing;
    if (!pairing) return null;
    const { method, qr, code, expiresAt } = pairing;
    return { method, qr, code, expiresAt };
  }

  /** Begins a pairing; a second call replaces the first. Refused while a device is linked. */
  async pair(input: { method: 'qr' } | { method: 'code'; phoneNumber: string }): Promise<Done | Refusal> {
    const device = this.#parts.device.known;
    if (isLinked(device)) {
      return refuse('CONFLICT', 'A device is linked to this number. Log it out before pairing another one.');
    }
    const phoneNumber = input.method === 'code' ? input.phoneNumber : null;
    const pairing = {
      pairingId: newUuid(),
      method: input.method,
      phoneNumber,
      qr: null,
      code: null,
      expiresAt: null,
    };
    this.#parts.vault.clear();
    return this.#steer({ ...device, state: 'pairing', desired: 'pair', reason: null, pairing });
  }

  /** Connects a linked device that was disconnected on request. */
  async connectSession(): Promise<Done | Refusal> {
    const device = this.#parts.device.known;
    if (!isLinked(device)) return refuseUnlinked(device);
    return this.#steer({ ...device, desired: 'run' });
  }

  /** Closes the session and keeps it closed; the device stays linked. */
  async disconnectSession(): Promise<Done | Refusal> {
    const device = this.#parts.device.known;
    if (!isLinked(device)) return refuseUnlinked(device);
    return this.#steer({ ...disconnected(device, 'requested', Date.now()), desired: 'stop' });
  }

  /** Removes the linked device from the network; a new pairing is needed afterwards. */
  async logoutSession(): Promise<Done | Refusal> {
    const device = this.#parts.device.known;
    if (!isLinked(device)) return refuseUnlinked(device);
    return this.#steer({ ...device, desired: 'logout' });
  }

  /** The number is deleted: logs its session out, fails what still waits, and ends once all that has been told. */
  async remove(): Promise<void> {
    const device = this.#parts.device.current;
    if (!device || device.removedAt !== null) return;
    this.#parts.messages.failAll(deletedReason, device);
    const desired = isLinked(device) ? 'logout' : 'none';
    await this.#steer({ ...device, desired, pairing: null, removedAt: Date.now() });
  }

  // --- the bridge --------------------------------------------------------------------------------------------------

  /** Only the WebSocket upgrade of a bridge, which the Worker has authenticated. `epoch` is that of its lease. */
  override fetch(request: Request): Response {
    const epoch = Number(new URL(request.url).searchParams.get('epoch'));
    const device = this.#parts.device.current;
    if (request.headers.get('Upgrade') !== 'websocket' || !Number.isSafeInteger(epoch) || epoch < 1) {
      return new Response(null, { status: 400 });
    }
    if (!device) return new Response(null, { status: 404 });
    if (epoch < device.epoch) return new Response(null, { status: 409 });
    if (epoch > device.epoch) this.#parts.device.note({ ...device, epoch });
    return this.#parts.link.accept(epoch);
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const device = this.#parts.device.current;
    const identity = identityOf(socket);
    if (!device) {
      socket.close(linkCloseCodes.gone, 'the number was deleted');
    } else if (identity.epoch < device.epoch) {
      socket.close(linkCloseCodes.staleEpoch, 'the lease is over');
    } else {
      if (this.#conversation.take(socket, data, identity)) this.#settle();
    }
  }

  override webSocketClose(): void {
    this.#noteLinkLoss();
    this.#timers.arm();
  }

  override webSocketError(): void {
    this.#noteLinkLoss();
    this.#timers.arm();
  }

  /** After a commit: events go to the queue, messages to the bridge, and the alarm to where it is needed. */
  #settle(): void {
    const { relay, dispatch, reports, device } = this.#parts;
    if (!device.current) return;
    const now = Date.now();
    this.ctx.waitUntil(relay.flush(relayFault));
    dispatch.hand(device.current, now);
    reports.notice(now);
    this.ctx.waitUntil(reports.tell());
    this.#timers.arm();
  }

  /** Changes what is wanted of the session, and sees to it that a bridge knows. */
  async #steer(next: Device): Promise<Done> {
    const linkLostAt = next.desired === 'none' || this.#parts.link.socket ? null : Date.now();
    this.#parts.device.change({ ...next, linkLostAt }, Date.now());
    const frame = this.#parts.link.ready && instruction(this.#parts.device.known);
    if (frame) this.#parts.link.send(frame);
    this.#settle();
    await this.#askFleet();
    return done;
  }

  async #askFleet(): Promise<void> {
    const { numberId, desired } = this.#parts.device.known;
    const fleet = this.env.BRIDGE_FLEET.getByName('fleet');
    if (desired === 'none') await fleet.release(numberId);
    else await fleet.acquire(numberId);
  }

  #noteLinkLoss(): void {
    const device = this.#parts.device.current;
    if (!device || device.desired === 'none' || device.linkLostAt !== null || this.#parts.link.socket) return;
    this.#parts.device.note({ ...device, linkLostAt: Date.now() });
    log('link.lost', { numberId: device.numberId });
  }

  // --- what time brings --------------------------------------------------------------------------------------------

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }
}

function isLinked(device: Device): boolean {
  return device.state === 'connected' || device.state === 'disconnected';
}

function refuseUnlinked(device: Device): Refusal {
  return refuse('CONFLICT', `No device is linked to this number (${device.state}). Pair it first.`);
}
