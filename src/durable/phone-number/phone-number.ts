import { DurableObject } from 'cloudflare:workers';
import {
  bridgeProtocolVersion,
  linkCloseCodes,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
} from '../../contract/bridge-frames.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { EventRelay, type UnplacedEvent } from '../event-relay.ts';
import { log, logFault, shortNumber } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { newUuid } from '../new-ids.ts';
import { migrateObject } from '../object-migrations.ts';
import type { MessageProjection } from '../relayed-events.ts';
import { BridgeLink, identify, identityOf, type LinkIdentity, parseUpFrame, sendTo } from './bridge-link.ts';
import {
  afterFact,
  type Device,
  deviceProjection,
  disconnected,
  instruction,
  newDevice,
  type Pairing,
} from './device.ts';
import { deviceEvents } from './device-events.ts';
import { Dispatch } from './dispatch.ts';
import { Inbox } from './inbox.ts';
import { phoneNumberMigrations } from './migrations.ts';
import { type AdmittedMessage, projectionOf, providerMessageIdOf, stepEvent } from './outbound-message.ts';
import { Outbox } from './outbox.ts';
import { receiptEvents } from './receipts.ts';
import { type Climb, climb, fail } from './status-ladder.ts';
import { Vault } from './vault.ts';

/** How long a bridge may be gone before its number counts as disconnected: a restart takes less. */
const linkGraceMs = 30_000;
/** How long after its time a waiting message fails: a bridge with a slower clock has returned it by then. */
const expirySlackMs = 5_000;
/** How long a deleted number waits for its session to be logged out. */
const removalGraceMs = 15_000;
const reportRetryMs = 5_000;

type Done = { ok: true };
const done: Done = { ok: true };

/**
 * One paired number. Owns the device's state, the outbox with every message's status, the link to the bridge, and the
 * vault of the session. All of it is in SQLite and survives eviction; the fields below are caches or belong to a
 * socket. An accepted message stays until it was sent or has failed; its events stay until they are stored elsewhere.
 */
export class PhoneNumber extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #vault: Vault;
  readonly #relay: EventRelay;
  readonly #link: BridgeLink;
  readonly #dispatch: Dispatch;
  readonly #timers: NamedTimers;
  #device: Device | null;
  #lastReportAt = 0;
  #reporting = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, phoneNumberMigrations);
    this.#sql = ctx.storage.sql;
    this.#outbox = new Outbox(this.#sql);
    this.#inbox = new Inbox(this.#sql);
    this.#vault = new Vault(this.#sql);
    this.#link = new BridgeLink(ctx);
    this.#dispatch = new Dispatch(this.#outbox, this.#link);
    const stored = this.#sql.exec<{ state: string }>('SELECT state FROM device').toArray()[0];
    this.#device = stored === undefined ? null : JSON.parse(stored.state);
    this.#relay = new EventRelay(this.#sql, env.EVENTS, () => ({
      accountId: this.#known().accountId,
      source: { kind: 'phone-number', name: this.#known().numberId },
    }));
    this.#timers = new NamedTimers(ctx.storage, [
      {
        name: 'relay-resend',
        dueAt: () => this.#relay.resendAt(),
        run: () => this.#relay.resend(this.#relayFault),
      },
      { name: 'ack', dueAt: () => this.#dispatch.ackDueAt(), run: (now) => this.#giveUpWaiting(now) },
      { name: 'expiry', dueAt: () => this.#expiryDueAt(), run: (now) => this.#expire(now) },
      { name: 'link', dueAt: () => this.#linkDueAt(), run: (now) => this.#missLink(now) },
      { name: 'report', dueAt: () => this.#reportDueAt(), run: () => this.#report() },
      { name: 'removal', dueAt: () => this.#removalDueAt(), run: (now) => this.#finishRemoval(now) },
    ]);
    // A crash of the runtime takes the sockets without a close: note it, so that the grace has a beginning.
    if (this.#device?.linkLostAt === null && this.#wantsLink() && this.#link.socket === null) {
      this.#storeDevice({ ...this.#device, linkLostAt: Date.now() });
    }
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- verbs of the account and of the dashboard -------------------------------------------------------------------

  /** Makes this object the number's. Repeating it changes nothing. */
  provision(input: { accountId: string; numberId: string }): void {
    if (this.#device) return;
    this.#change(newDevice(input.accountId, input.numberId));
    this.#settle();
  }

  /**
   * Stores a message and its `message.queued` in one transaction: from then on it ends in `sent` or better, or in
   * `failed`. Repeating it changes nothing. Refuses what the account has disowned, and anything once it is removed.
   */
  enqueue(message: AdmittedMessage): Done | Refusal {
    const device = this.#device;
    if (!device || device.removedAt !== null) return refuse('SENDER_UNAVAILABLE', 'The sender was deleted.');
    if (this.#outbox.find(providerMessageIdOf(message.messageId))) return done;
    if (this.#isDisowned(message.messageId))
      return refuse('CONFLICT', 'The send was given up before it arrived.');
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      const state = this.#outbox.add(message);
      this.#relay.append([stepEvent('queued', state, device, now)], now);
    });
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
        else this.#sql.exec('INSERT OR IGNORE INTO disowned VALUES (?, ?)', messageId, Date.now());
      }
    });
    return { accepted, told: this.#relay.isEmpty };
  }

  /** The message as it stands now, or null. */
  message(messageId: string): MessageProjection | null {
    const message = this.#outbox.find(providerMessageIdOf(messageId));
    return message && this.#device && projectionOf(message, this.#device);
  }

  device(): Pick<Device, 'state' | 'phoneNumber' | 'reason' | 'connectedAt' | 'lastSeenAt'> & {
    health: 'healthy' | 'unavailable';
  } {
    const { state, phoneNumber, reason, connectedAt, lastSeenAt } = this.#known();
    const health = state === 'connected' ? 'healthy' : 'unavailable';
    return { state, phoneNumber, reason, connectedAt, lastSeenAt, health };
  }

  /** What to show to the person who pairs; null when no pairing is under way. */
  pairing(): Pick<Pairing, 'method' | 'qr' | 'code' | 'expiresAt'> | null {
    const pairing = this.#device?.pairing;
    if (!pairing) return null;
    const { method, qr, code, expiresAt } = pairing;
    return { method, qr, code, expiresAt };
  }

  /** Begins a pairing; a second call replaces the first. Refused while a device is linked. */
  async pair(input: { method: 'qr' } | { method: 'code'; phoneNumber: string }): Promise<Done | Refusal> {
    const device = this.#known();
    if (device.state === 'connected' || device.state === 'disconnected') {
      return refuse('CONFLICT', 'A device is linked to this number. Log it out before pairing another one.');
    }
    const phoneNumber = input.method === 'code' ? input.phoneNumber : null;
    this.#vault.clear();
    this.#change({
      ...device,
      state: 'pairing',
      desired: 'pair',
      reason: null,
      linkLostAt: this.#link.socket ? null : Date.now(),
      pairing: {
        pairingId: newUuid(),
        method: input.method,
        phoneNumber,
        qr: null,
        code: null,
        expiresAt: null,
      },
    });
    await this.#steer();
    this.#settle();
    return done;
  }

  /** Connects a linked device that was disconnected on request. */
  async connectSession(): Promise<Done | Refusal> {
    const device = this.#known();
    if (device.state !== 'connected' && device.state !== 'disconnected') return this.#refuseUnlinked(device);
    this.#change({ ...device, desired: 'run', linkLostAt: this.#link.socket ? null : Date.now() });
    await this.#steer();
    this.#settle();
    return done;
  }

  /** Closes the session and keeps it closed; the device stays linked. */
  async disconnectSession(): Promise<Done | Refusal> {
    const device = this.#known();
    if (device.state !== 'connected' && device.state !== 'disconnected') return this.#refuseUnlinked(device);
    this.#change({ ...disconnected(device, 'requested', Date.now()), desired: 'stop', linkLostAt: null });
    await this.#steer();
    this.#settle();
    return done;
  }

  /** Removes the linked device from the network; a new pairing is needed afterwards. */
  async logoutSession(): Promise<Done | Refusal> {
    const device = this.#known();
    if (device.state !== 'connected' && device.state !== 'disconnected') return this.#refuseUnlinked(device);
    this.#change({ ...device, desired: 'logout' });
    await this.#steer();
    this.#settle();
    return done;
  }

  /** The number is deleted: logs its session out, fails what still waits, and ends once all that has been told. */
  async remove(): Promise<void> {
    const device = this.#device;
    if (!device || device.removedAt !== null) return;
    const linked = device.state === 'connected' || device.state === 'disconnected';
    this.#change({ ...device, desired: linked ? 'logout' : 'none', pairing: null, removedAt: Date.now() });
    this.#failWaiting(
      () => 'The number was deleted before the message could be sent.',
      Number.MAX_SAFE_INTEGER,
    );
    await this.#steer();
  }

  /** The consumer of the queue has stored these events. */
  confirmEvents(seqs: number[]): void {
    this.#relay.confirm(seqs);
  }

  // --- the bridge --------------------------------------------------------------------------------------------------

  /** Only the WebSocket upgrade of a bridge, which the Worker has authenticated. `epoch` is that of its lease. */
  override fetch(request: Request): Response {
    const epoch = Number(new URL(request.url).searchParams.get('epoch'));
    const device = this.#device;
    if (request.headers.get('Upgrade') !== 'websocket' || !Number.isSafeInteger(epoch) || epoch < 1) {
      return new Response(null, { status: 400 });
    }
    if (!device) return new Response(null, { status: 404 });
    if (epoch < device.epoch) return new Response(null, { status: 409 });
    if (epoch > device.epoch) this.#storeDevice({ ...device, epoch });
    return this.#link.accept(epoch);
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const device = this.#device;
    const identity = identityOf(socket);
    if (!device) {
      socket.close(linkCloseCodes.gone, 'the number was deleted');
    } else if (identity.epoch < device.epoch) {
      socket.close(linkCloseCodes.staleEpoch, 'the lease is over');
    } else {
      const frame = parseUpFrame(data, identity);
      if ('error' in frame) {
        log('link.frame_refused', { numberId: device.numberId, error: frame.error });
        socket.close(linkCloseCodes.protocolError, frame.error);
      } else {
        const answer = this.#answer(frame, socket, identity);
        if (answer) sendTo(socket, answer);
        this.#settle();
      }
    }
  }

  #answer(frame: NumberUpFrame, socket: WebSocket, identity: LinkIdentity): NumberDownFrame | null {
    switch (frame.type) {
      case 'link.hello':
        identify(socket, { ...identity, bridgeId: frame.bridgeId });
        return { type: 'link.welcome', version: bridgeProtocolVersion };
      case 'link.ready': {
        identify(socket, { ...identity, readyAt: Date.now() });
        const device = this.#known();
        if (device.linkLostAt !== null) this.#storeDevice({ ...device, linkLostAt: null });
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

  override webSocketClose(): void {
    this.#noteLinkLoss();
  }

  override webSocketError(): void {
    this.#noteLinkLoss();
  }

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }

  /** One fact, one transaction; every fact is safe to repeat. */
  #takeFact(fact: NumberFact): void {
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      switch (fact.type) {
        case 'send.outcomes':
          for (const item of fact.items) {
            const id = providerMessageIdOf(item.messageId);
            this.#dispatch.resolved(id);
            const message = this.#outbox.find(id);
            if (!message) continue;
            if (item.outcome === 'returned') {
              if (message.place === null) continue;
              this.#outbox.noteHolder(id, null, null);
              this.#dispatch.returned(message.place);
            } else if (item.outcome === 'sent') {
              this.#take(climb(message, 'sent', Date.parse(item.at)), now);
            } else {
              this.#take(fail(message, item.errorMessage, Date.parse(item.at)), now);
            }
          }
          return;
        case 'receipts':
          for (const item of fact.items) {
            this.#dispatch.resolved(item.providerMessageId);
            const message = this.#outbox.find(item.providerMessageId);
            if (!message) continue;
            const { climbed, events } = receiptEvents(message, item, this.#known(), now);
            if (events.length === 0) continue;
            this.#outbox.save(climbed);
            this.#relay.append(events, now);
          }
          return;
        case 'inbound':
          return this.#relay.append(this.#inbox.take(fact.items, this.#known(), now), now);
        case 'vault.put':
          return this.#vault.put(fact.entries);
        default:
          this.#change(afterFact(this.#known(), fact));
          if (fact.type === 'session.ended') this.#vault.clear();
      }
    });
    // The session is over for good: the lease goes back, and so does whatever the bridge still held of it.
    if (fact.type === 'session.ended' || fact.type === 'pairing.failed') this.ctx.waitUntil(this.#steer());
  }

  #take({ message, steps }: Climb, now: number): void {
    if (steps.length === 0) return;
    const device = this.#known();
    this.#outbox.save(message);
    this.#relay.append(
      steps.map((step) => stepEvent(step, message, device, now)),
      now,
    );
  }

  /** After a commit: events go to the queue, messages to the bridge, and the alarm to where it is needed. */
  #settle(): void {
    const device = this.#device;
    if (!device) return;
    this.ctx.waitUntil(this.#relay.flush(this.#relayFault));
    if (device.state === 'connected' && device.removedAt === null) this.#dispatch.hand(Date.now());
    if (device.reportedRevision < device.revision && !this.#reporting) this.ctx.waitUntil(this.#report());
    this.#timers.arm();
  }

  // --- the device --------------------------------------------------------------------------------------------------

  /** Stores a changed device with the events that the change means, in one transaction. */
  #change(next: Device): void {
    const before = this.#device;
    if (next === before) return;
    const now = Date.now();
    const device = { ...next, revision: next.revision + 1 };
    const events: UnplacedEvent[] = deviceEvents(before, device, now);
    this.ctx.storage.transactionSync(() => {
      this.#storeDevice(device);
      this.#relay.append(
        events.length > 0 ? events : [{ envelope: null, message: null, device: deviceProjection(device) }],
        now,
      );
    });
    if (before?.state !== device.state) {
      log('device.changed', {
        numberId: device.numberId,
        state: device.state,
        reason: device.reason,
        phoneNumber: device.phoneNumber && shortNumber(device.phoneNumber),
      });
    }
  }

  #storeDevice(device: Device): void {
    this.#device = device;
    this.#sql.exec('INSERT OR REPLACE INTO device (id, state) VALUES (1, ?)', JSON.stringify(device));
  }

  /** Tells the account how this sender is; tried again by its timer until the account knows the newest state. */
  async #report(): Promise<void> {
    const { accountId, numberId, state, phoneNumber, revision } = this.#known();
    this.#lastReportAt = Date.now();
    this.#reporting = true;
    try {
      const account = this.env.ACCOUNT.getByName(accountId);
      await account.reportSender({ numberId, state, phoneNumber, revision });
      if (this.#device) this.#storeDevice({ ...this.#device, reportedRevision: revision });
    } catch (error) {
      logFault('sender.report_failed', error, { numberId });
    } finally {
      this.#reporting = false;
    }
    if (this.#device && this.#device.revision > revision) await this.#report();
  }

  #reportDueAt(): number | null {
    const device = this.#device;
    return device && device.reportedRevision < device.revision ? this.#lastReportAt + reportRetryMs : null;
  }

  /** Makes sure that a bridge has the number, or none, and that it knows what to do. */
  async #steer(): Promise<void> {
    const { numberId } = this.#known();
    const fleet = this.env.BRIDGE_FLEET.getByName('fleet');
    if (this.#wantsLink()) {
      const frame = this.#link.ready && instruction(this.#known());
      if (frame) this.#link.send(frame);
      await fleet.acquire(numberId);
    } else {
      await fleet.release(numberId);
    }
  }

  #wantsLink(): boolean {
    return this.#device !== null && this.#device.desired !== 'none';
  }

  #noteLinkLoss(): void {
    const device = this.#device;
    if (!device || device.linkLostAt !== null || !this.#wantsLink() || this.#link.socket !== null) return;
    this.#storeDevice({ ...device, linkLostAt: Date.now() });
    log('link.lost', { numberId: device.numberId });
    this.#timers.arm();
  }

  #linkDueAt(): number | null {
    const device = this.#device;
    if (device?.state !== 'connected' || device.linkLostAt === null) return null;
    return device.linkLostAt + linkGraceMs;
  }

  #missLink(now: number): void {
    const device = this.#known();
    this.#change(disconnected(device, 'bridge_lost', device.linkLostAt ?? now));
    this.#settle();
  }

  // --- time --------------------------------------------------------------------------------------------------------

  #giveUpWaiting(now: number): void {
    const overdue = this.#dispatch.dropOverdue(now);
    log('send.unacknowledged', { numberId: this.#known().numberId, messages: overdue });
    this.#settle();
  }

  #expiryDueAt(): number | null {
    const first = this.#outbox.firstExpiry();
    return first === null ? null : first + expirySlackMs;
  }

  #expire(now: number): void {
    const device = this.#known();
    this.#failWaiting(
      (handed) =>
        handed
          ? 'It was handed to the network and never acknowledged: whether it arrived is not known.'
          : `It could not be sent in time. ${device.reason ?? 'The number had too much to send.'}`,
      now - expirySlackMs,
    );
  }

  /** Fails what waits and expires at or before a time; in slices, so that no single transaction grows too large. */
  #failWaiting(reason: (handed: boolean) => string, expiredBy: number): void {
    const now = Date.now();
    for (;;) {
      const slice = this.#outbox.waitingAfter(0, 200).filter((message) => message.expiresAt <= expiredBy);
      if (slice.length === 0) break;
      this.ctx.storage.transactionSync(() => {
        for (const message of slice) {
          this.#take(fail(message, reason(message.handedTo !== null), now), now);
          this.#dispatch.resolved(message.providerMessageId);
        }
      });
    }
    this.#settle();
  }

  #removalDueAt(): number | null {
    const device = this.#device;
    if (!device || device.removedAt === null) return null;
    const over = device.desired === 'none' && this.#relay.isEmpty;
    return over ? device.removedAt : Math.max(device.removedAt + removalGraceMs, this.#relay.resendAt() ?? 0);
  }

  /** The last step of a deleted number: the link closes, the lease ends, the storage is emptied. */
  async #finishRemoval(now: number): Promise<void> {
    const device = this.#known();
    if (device.desired !== 'none') {
      log('device.removed_without_logout', { numberId: device.numberId, state: device.state });
      this.#change({ ...device, desired: 'none', removedAt: now });
    }
    await this.#steer();
    if (!this.#relay.isEmpty) return;
    this.#link.close(linkCloseCodes.gone, 'the number was deleted');
    this.#device = null;
    await this.ctx.storage.deleteAll();
    migrateObject(this.ctx.storage, phoneNumberMigrations);
  }

  // -----------------------------------------------------------------------------------------------------------------

  #isDisowned(messageId: string): boolean {
    return this.#sql.exec('SELECT 1 FROM disowned WHERE message_id = ?', messageId).toArray().length > 0;
  }

  #known(): Device {
    if (!this.#device) throw new Error('the number was not provisioned');
    return this.#device;
  }

  #refuseUnlinked(device: Device): Refusal {
    return refuse('CONFLICT', `No device is linked to this number (${device.state}). Pair it first.`);
  }

  readonly #relayFault = (error: unknown): void => logFault('relay.send_failed', error);
}
