import { DurableObject } from 'cloudflare:workers';
import {
  bridgeProtocolVersion,
  linkCloseCodes,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
} from '../../contract/bridge-frames.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { EventRelay } from '../event-relay.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { newUuid } from '../new-ids.ts';
import { migrateObject } from '../object-migrations.ts';
import type { MessageProjection } from '../relayed-events.ts';
import { BridgeLink, identify, identityOf, type LinkIdentity, parseUpFrame, sendTo } from './bridge-link.ts';
import { afterFact, type Device, disconnected, instruction, newDevice, type Pairing } from './device.ts';
import { DeviceRecord } from './device-record.ts';
import { Dispatch } from './dispatch.ts';
import { Inbox } from './inbox.ts';
import { MessageFlow } from './message-flow.ts';
import { phoneNumberMigrations } from './migrations.ts';
import { type AdmittedMessage, projectionOf, providerMessageIdOf } from './outbound-message.ts';
import { Outbox } from './outbox.ts';
import { Vault } from './vault.ts';

/** How long a bridge may be gone before its number counts as disconnected: a restart takes less. */
const linkGraceMs = 30_000;
/** How long a deleted number waits for its session to be logged out. */
const removalGraceMs = 15_000;
/** Between attempts to tell the account something. */
const reportRetryMs = 5_000;
const giveBacksPerCall = 500;

type Done = { ok: true };
const done: Done = { ok: true };

/**
 * One paired number. Owns the device's state, the outbox with every message's status, the link to the bridge, and the
 * vault of the session. All of it is in SQLite and survives eviction; the fields below are caches or belong to a
 * socket. An accepted message stays until it was sent or has failed; its events stay until they are stored elsewhere.
 */
export class PhoneNumber extends DurableObject<Env> {
  readonly #device: DeviceRecord;
  readonly #outbox: Outbox;
  readonly #messages: MessageFlow;
  readonly #dispatch: Dispatch;
  readonly #vault: Vault;
  readonly #relay: EventRelay;
  readonly #link: BridgeLink;
  readonly #timers: NamedTimers;
  #lastReportAt = 0;
  #reporting = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, phoneNumberMigrations);
    const sql = ctx.storage.sql;
    this.#relay = new EventRelay(sql, env.EVENTS, () => {
      const { accountId, numberId } = this.#device.known;
      return { accountId, source: { kind: 'phone-number', name: numberId } };
    });
    this.#device = new DeviceRecord(ctx.storage, this.#relay);
    this.#outbox = new Outbox(sql);
    this.#vault = new Vault(sql);
    this.#link = new BridgeLink(ctx);
    this.#dispatch = new Dispatch(this.#outbox, this.#link);
    this.#messages = new MessageFlow(ctx.storage, {
      outbox: this.#outbox,
      inbox: new Inbox(sql),
      dispatch: this.#dispatch,
      relay: this.#relay,
    });
    this.#timers = new NamedTimers(ctx.storage, [
      {
        name: 'relay-resend',
        dueAt: () => this.#relay.resendAt(),
        run: () => this.#relay.resend(relayFault),
      },
      { name: 'ack', dueAt: () => this.#dispatch.ackDueAt(), run: (now) => this.#passUnacknowledged(now) },
      { name: 'expiry', dueAt: () => this.#messages.expiryDueAt(), run: (now) => this.#expire(now) },
      { name: 'link', dueAt: () => this.#linkDueAt(), run: (now) => this.#missLink(now) },
      { name: 'report', dueAt: () => this.#reportDueAt(), run: () => this.#report() },
      { name: 'removal', dueAt: () => this.#removalDueAt(), run: (now) => this.#finishRemoval(now) },
    ]);
    // A crash of the runtime takes the sockets without a close: note it, so that the grace has a beginning.
    this.#noteLinkLoss();
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- verbs of the account ----------------------------------------------------------------------------------------

  /** Makes this object the number's. Repeating it changes nothing. */
  provision(input: { accountId: string; numberId: string }): void {
    if (this.#device.current) return;
    this.#device.change(newDevice(input.accountId, input.numberId), Date.now());
    this.#settle();
  }

  /**
   * Stores a message and its `message.queued` in one transaction: from then on it ends in `sent` or better, or in
   * `failed`. Repeating it changes nothing. Refuses what the account has disowned, and anything once it is deleted.
   */
  enqueue(message: AdmittedMessage): Done | Refusal {
    if (this.#outbox.find(providerMessageIdOf(message.messageId))) return done;
    const device = this.#device.current;
    if (!device || device.removedAt !== null) return refuse('SENDER_UNAVAILABLE', 'The sender was deleted.');
    if (this.#outbox.isDisowned(message.messageId)) {
      return refuse('CONFLICT', 'The send was given up before it arrived.');
    }
    this.#messages.enqueue(message, device, Date.now());
    this.#settle();
    return done;
  }

  /**
   * Which of these messages it has, for an account that lost the answer to its `enqueue`. The others are disowned:
   * an `enqueue` of one that is still on its way will be refused. `told`: the read model has all of them.
   */
  resolveAdmissions(messageIds: readonly string[]): { accepted: string[]; told: boolean } {
    const accepted: string[] = [];
    this.ctx.storage.transactionSync(() => {
      for (const messageId of messageIds) {
        if (this.#outbox.find(providerMessageIdOf(messageId))) accepted.push(messageId);
        else this.#outbox.disown(messageId, Date.now());
      }
    });
    return { accepted, told: this.#relay.isEmpty };
  }

  /** The message as it stands now, or null. */
  message(messageId: string): MessageProjection | null {
    const message = this.#outbox.find(providerMessageIdOf(messageId));
    return message && this.#device.current && projectionOf(message, this.#device.current);
  }

  /** The consumer of the queue has stored these events. */
  confirmEvents(seqs: number[]): void {
    this.#relay.confirm(seqs);
  }

  // --- verbs of the dashboard --------------------------------------------------------------------------------------

  device(): Pick<Device, 'state' | 'phoneNumber' | 'reason' | 'connectedAt' | 'lastSeenAt'> & {
    health: 'healthy' | 'unavailable';
  } {
    const { state, phoneNumber, reason, connectedAt, lastSeenAt } = this.#device.known;
    const health = state === 'connected' ? 'healthy' : 'unavailable';
    return { state, phoneNumber, reason, connectedAt, lastSeenAt, health };
  }

  /** What to show to the person who pairs; null when no pairing is under way. */
  pairing(): Pick<Pairing, 'method' | 'qr' | 'code' | 'expiresAt'> | null {
    const pairing = this.#device.current?.pairing;
    if (!pairing) return null;
    const { method, qr, code, expiresAt } = pairing;
    return { method, qr, code, expiresAt };
  }

  /** Begins a pairing; a second call replaces the first. Refused while a device is linked. */
  async pair(input: { method: 'qr' } | { method: 'code'; phoneNumber: string }): Promise<Done | Refusal> {
    const device = this.#device.known;
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
    this.#vault.clear();
    return this.#steer({ ...device, state: 'pairing', desired: 'pair', reason: null, pairing });
  }

  /** Connects a linked device that was disconnected on request. */
  async connectSession(): Promise<Done | Refusal> {
    const device = this.#device.known;
    if (!isLinked(device)) return refuseUnlinked(device);
    return this.#steer({ ...device, desired: 'run' });
  }

  /** Closes the session and keeps it closed; the device stays linked. */
  async disconnectSession(): Promise<Done | Refusal> {
    const device = this.#device.known;
    if (!isLinked(device)) return refuseUnlinked(device);
    return this.#steer({ ...disconnected(device, 'requested', Date.now()), desired: 'stop' });
  }

  /** Removes the linked device from the network; a new pairing is needed afterwards. */
  async logoutSession(): Promise<Done | Refusal> {
    const device = this.#device.known;
    if (!isLinked(device)) return refuseUnlinked(device);
    return this.#steer({ ...device, desired: 'logout' });
  }

  /** The number is deleted: logs its session out, fails what still waits, and ends once all that has been told. */
  async remove(): Promise<void> {
    const device = this.#device.current;
    if (!device || device.removedAt !== null) return;
    this.#messages.failAll('The number was deleted before the message could be sent.', device);
    const desired = isLinked(device) ? 'logout' : 'none';
    await this.#steer({ ...device, desired, pairing: null, removedAt: Date.now() });
  }

  // --- the bridge --------------------------------------------------------------------------------------------------

  /** Only the WebSocket upgrade of a bridge, which the Worker has authenticated. `epoch` is that of its lease. */
  override fetch(request: Request): Response {
    const epoch = Number(new URL(request.url).searchParams.get('epoch'));
    const device = this.#device.current;
    if (request.headers.get('Upgrade') !== 'websocket' || !Number.isSafeInteger(epoch) || epoch < 1) {
      return new Response(null, { status: 400 });
    }
    if (!device) return new Response(null, { status: 404 });
    if (epoch < device.epoch) return new Response(null, { status: 409 });
    if (epoch > device.epoch) this.#device.note({ ...device, epoch });
    return this.#link.accept(epoch);
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const device = this.#device.current;
    const identity = identityOf(socket);
    if (!device) {
      socket.close(linkCloseCodes.gone, 'the number was deleted');
    } else if (identity.epoch < device.epoch) {
      socket.close(linkCloseCodes.staleEpoch, 'the lease is over');
    } else {
      this.#take(socket, data, identity);
    }
  }

  #take(socket: WebSocket, data: string | ArrayBuffer, identity: LinkIdentity) {
    const { numberId } = this.#device.known;
    const frame = parseUpFrame(data, identity);
    if ('error' in frame) {
      log('link.frame_refused', { numberId, error: frame.error });
      return socket.close(linkCloseCodes.protocolError, frame.error);
    }
    try {
      const answer = this.#answer(frame, socket, identity);
      if (answer) sendTo(socket, answer);
      this.#settle();
    } catch (error) {
      // Rolled back and not acknowledged: the bridge sends it again over its next link.
      logFault('link.frame_failed', error, { numberId, type: frame.type });
      this.#device.reload();
      socket.close(1011, 'the frame could not be stored');
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

  #answer(frame: NumberUpFrame, socket: WebSocket, identity: LinkIdentity): NumberDownFrame | null {
    switch (frame.type) {
      case 'link.hello':
        identify(socket, { ...identity, bridgeId: frame.bridgeId });
        return { type: 'link.welcome', version: bridgeProtocolVersion };
      case 'link.ready': {
        identify(socket, { ...identity, readyAt: Date.now() });
        const device = this.#device.known;
        if (device.linkLostAt !== null) this.#device.note({ ...device, linkLostAt: null });
        log('link.ready', { numberId: device.numberId, epoch: identity.epoch });
        return instruction(device);
      }
      case 'fact':
        this.#takeFact(frame.fact);
        return { type: 'fact.ack', seq: frame.seq };
      case 'vault.get':
        return { type: 'vault.entries', requestId: frame.requestId, entries: this.#vault.get(frame.keys) };
      case 'content.get': {
        const content = this.#outbox.find(frame.providerMessageId)?.content ?? null;
        return { type: 'content', requestId: frame.requestId, content };
      }
    }
  }

  /** One fact, one transaction; every fact is safe to repeat. */
  #takeFact(fact: NumberFact): void {
    const now = Date.now();
    const device = this.#device.known;
    this.ctx.storage.transactionSync(() => {
      switch (fact.type) {
        case 'send.outcomes':
          return this.#messages.takeOutcomes(fact.items, device, now);
        case 'receipts':
          return this.#messages.takeReceipts(fact.items, device, now);
        case 'inbound':
          return this.#messages.takeInbound(fact.items, device, now);
        case 'vault.put':
          return this.#vault.put(fact.entries);
        case 'session.ended':
          this.#vault.clear();
          return this.#device.change(afterFact(device, fact), now);
        default:
          return this.#device.change(afterFact(device, fact), now);
      }
    });
    // No session is wanted any more: the lease goes back.
    if (device.desired !== 'none' && this.#device.known.desired === 'none')
      this.ctx.waitUntil(this.#askFleet());
  }

  /** After a commit: events go to the queue, messages to the bridge, and the alarm to where it is needed. */
  #settle(): void {
    const device = this.#device.current;
    if (!device) return;
    this.ctx.waitUntil(this.#relay.flush(relayFault));
    if (device.state === 'connected' && device.removedAt === null) this.#dispatch.hand(Date.now());
    if (device.reportedRevision < device.revision && !this.#reporting) this.ctx.waitUntil(this.#report());
    this.#timers.arm();
  }

  /** Changes what is wanted of the session, and sees to it that a bridge knows. */
  async #steer(next: Device): Promise<Done> {
    const linkLostAt = next.desired === 'none' || this.#link.socket ? null : Date.now();
    this.#device.change({ ...next, linkLostAt }, Date.now());
    const frame = this.#link.ready && instruction(this.#device.known);
    if (frame) this.#link.send(frame);
    this.#settle();
    await this.#askFleet();
    return done;
  }

  async #askFleet(): Promise<void> {
    const { numberId, desired } = this.#device.known;
    const fleet = this.env.BRIDGE_FLEET.getByName('fleet');
    if (desired === 'none') await fleet.release(numberId);
    else await fleet.acquire(numberId);
  }

  #noteLinkLoss(): void {
    const device = this.#device.current;
    if (!device || device.desired === 'none' || device.linkLostAt !== null || this.#link.socket) return;
    this.#device.note({ ...device, linkLostAt: Date.now() });
    log('link.lost', { numberId: device.numberId });
  }

  // --- what time brings --------------------------------------------------------------------------------------------

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }

  #passUnacknowledged(now: number): void {
    log('send.unacknowledged', {
      numberId: this.#device.known.numberId,
      messages: this.#dispatch.dropOverdue(now),
    });
    this.#settle();
  }

  #expire(now: number): void {
    this.#messages.expire(this.#device.known.reason, this.#device.known, now);
    this.#settle();
  }

  #linkDueAt(): number | null {
    const device = this.#device.current;
    if (device?.state !== 'connected' || device.linkLostAt === null) return null;
    return device.linkLostAt + linkGraceMs;
  }

  #missLink(now: number): void {
    const device = this.#device.known;
    this.#device.change(disconnected(device, 'bridge_lost', device.linkLostAt ?? now), now);
    this.#settle();
  }

  #reportDueAt(): number | null {
    const device = this.#device.current;
    if (!device) return null;
    const owed = device.reportedRevision < device.revision || this.#outbox.giveBacks(1).length > 0;
    return owed ? this.#lastReportAt + reportRetryMs : null;
  }

  /** Tells the account how this sender is, and what it need not count; tried again until the account knows. */
  async #report(): Promise<void> {
    const { accountId, numberId, state, phoneNumber, revision } = this.#device.known;
    this.#lastReportAt = Date.now();
    this.#reporting = true;
    try {
      const account = this.env.ACCOUNT.getByName(accountId);
      await account.reportSender({ numberId, state, phoneNumber, revision });
      const giveBacks = this.#outbox.giveBacks(giveBacksPerCall);
      if (giveBacks.length > 0) await account.giveBack(giveBacks);
      this.#outbox.forgetGiveBacks(giveBacks);
      if (this.#device.current) this.#device.note({ ...this.#device.current, reportedRevision: revision });
    } catch (error) {
      logFault('sender.report_failed', error, { numberId });
    } finally {
      this.#reporting = false;
    }
    if ((this.#device.current?.revision ?? 0) > revision) await this.#report();
  }

  #removalDueAt(): number | null {
    const device = this.#device.current;
    if (!device || device.removedAt === null) return null;
    if (device.desired !== 'none') return device.removedAt + removalGraceMs;
    return this.#isTold() ? device.removedAt : Date.now() + reportRetryMs;
  }

  /** Nothing is left that somebody else has yet to be told. */
  #isTold(): boolean {
    const device = this.#device.known;
    return (
      this.#relay.isEmpty &&
      device.reportedRevision === device.revision &&
      this.#outbox.giveBacks(1).length === 0
    );
  }

  /** The last step of a deleted number: the link closes, the lease ends, the storage is emptied. */
  async #finishRemoval(now: number): Promise<void> {
    const device = this.#device.known;
    if (device.desired !== 'none') {
      log('device.removed_without_logout', { numberId: device.numberId, state: device.state });
      this.#device.change({ ...device, desired: 'none' }, now);
      this.#settle();
    }
    await this.#askFleet();
    if (!this.#isTold()) return;
    this.#link.close(linkCloseCodes.gone, 'the number was deleted');
    await this.ctx.storage.deleteAll();
    migrateObject(this.ctx.storage, phoneNumberMigrations);
    this.#device.reload();
  }
}

function isLinked(device: Device): boolean {
  return device.state === 'connected' || device.state === 'disconnected';
}

function refuseUnlinked(device: Device): Refusal {
  return refuse('CONFLICT', `No device is linked to this number (${device.state}). Pair it first.`);
}

const relayFault = (error: unknown): void => logFault('relay.send_failed', error);
