import { linkCloseCodes, type NumberDownFrame } from '../../contract/bridge/bridge-frames.ts';
import { linkedElsewhere } from '../../contract/bridge/device.ts';
import type { NetworkQuery, QueryOf } from '../../contract/bridge/network-queries.ts';
import type { StoredSessionSettings } from '../../contract/bridge/session-settings.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { Group } from '../../contract/group.ts';
import type { HealthStatus, HeldReason, Pacing } from '../../contract/sender-settings.ts';
import { BackedUpObject } from '../backup/backed-up-object.ts';
import type { FleetRegion } from '../bridge-fleet/fleet-of.ts';
import type { BatchTaken, MessageBatch } from '../hand-over/message-batch.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { newUuid } from '../new-ids.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { identityOf } from './bridge/bridge-link.ts';
import { FactIntake } from './bridge/fact-intake.ts';
import { linkRequestOf } from './bridge/link-admission.ts';
import { canConnect, type Device, disconnected, isLinked, newDevice, type Pairing } from './device/device.ts';
import { type GroupVerb, GroupVerbs } from './groups/group-verbs.ts';
import type { Health } from './health/health.ts';
import type { HealthChange } from './health/sender-health.ts';
import { phoneNumberMigrations } from './migrations.ts';
import { assembleNumber, type NumberParts, reloadNumber } from './number-parts.ts';
import type { Forecast } from './queue/turn.ts';
import { upkeepTimers } from './upkeep.ts';

/** A message that the number does not have: what the account has decided about it, and how many it keeps before it. */
export interface ForecastRequest {
  recipient: string;
  isNewChat: boolean;
  isAnswer?: boolean;
  ahead: number;
}

type Done = { ok: true };
const done: Done = { ok: true };

/**
 * One paired number. Owns the device's state and its health, a short queue of messages with their pacing, the link to
 * the bridge, and the vault of the session. All of it is in SQLite and survives eviction; the fields below are caches or
 * belong to a socket. It is responsible for a message from the batch that brings it until the log knows that it was
 * sent, or the account has it back.
 */
export class PhoneNumber extends BackedUpObject {
  readonly #parts: NumberParts;
  readonly #intake: FactIntake;
  readonly #groupVerbs: GroupVerbs;
  readonly #timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, phoneNumberMigrations);
    const parts = assembleNumber(ctx, env);
    this.#parts = parts;
    this.#intake = new FactIntake(parts, {
      storage: ctx.storage,
      instruct: () => this.#instruct(),
      onTaken: () => this.#settle(true),
      onSessionOver: () => ctx.waitUntil(this.#askFleet()),
    });
    this.#groupVerbs = new GroupVerbs({
      ...parts,
      commit: (change) => {
        this.#commit(change);
        this.#settle(true);
      },
    });
    this.#timers = new NamedTimers(
      ctx.storage,
      upkeepTimers(parts, {
        storage: ctx.storage,
        settle: () => this.#settle(true),
        noteLinkLoss: () => this.#noteLinkLoss(),
      }),
    );
    // A crash of the runtime takes the sockets without a close: note it, so that the grace has a beginning.
    this.#noteLinkLoss();
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- verbs of the account ----------------------------------------------------------------------------------------

  /** Makes this object the number's. Repeating it changes nothing. */
  provision(input: { accountId: string; numberId: string; region?: FleetRegion }): void {
    if (this.#parts.device.current) return;
    this.#parts.device.change(newDevice(input.accountId, input.numberId, input.region ?? null), Date.now());
    this.#settle();
  }

  /**
   * Stores the messages of a batch, in one transaction: from then on each ends in `sent` or better, in `failed`, or back
   * at the account. A batch that was taken before changes nothing. A number that was deleted gives everything back, and
   * one that was never made takes nothing.
   */
  take({ batchNumber, messages }: MessageBatch): BatchTaken {
    const { device, batches, queue, notes, capacity, housekeeping, dispatch } = this.#parts;
    if (device.current === null) return { takenUpTo: 0, room: 0, dailyRemaining: null };
    const { known } = device;
    if (batchNumber > batches.takenUpTo) {
      const frame = this.#commit(() => {
        batches.noteTaken(batchNumber);
        housekeeping.begin(Date.now());
        if (known.removedAt === null) queue.add(messages);
        else for (const message of messages) notes.add({ kind: 'returned', message, reason: 'deleted' });
        const leaving = dispatch.handOver(known, Date.now());
        queue.storeAdded();
        return leaving;
      });
      dispatch.send(frame);
      this.#settle();
    }
    const now = Date.now();
    const room = capacity.room(device.known, now);
    batches.noteRoomTold(room);
    return {
      takenUpTo: batches.takenUpTo,
      room,
      dailyRemaining: capacity.dailyRemaining(device.known, now),
    };
  }

  /** Why a message of this queue waits, and when it is expected to leave; null for one that is not here. */
  outlook(messageId: string): { heldReason: HeldReason | null; expectedAt: number | null } | null {
    const { device, queue, dispatch } = this.#parts;
    const message = queue.find(messageId);
    return message && device.current ? dispatch.outlook(message, device.current, Date.now()) : null;
  }

  /** When a message to this recipient would leave if it came now behind `ahead` others, and what would make it wait. */
  forecast({ recipient, isNewChat, isAnswer = false, ahead }: ForecastRequest): Forecast {
    const { device, dispatch } = this.#parts;
    const message = { isNewChat, isAnswer, hasBeenHanded: false };
    return dispatch.expect(message, recipient, ahead + dispatch.waitingCount, device.known, Date.now());
  }

  /** Asks the network whether a phone number is there, and by which digits. Refused while the network cannot be asked, or does not answer. */
  async checkRecipient(
    phoneNumber: string,
  ): Promise<{ ok: true; onNetwork: boolean; address?: string } | Refusal> {
    const asked = await this.#parts.queries.ask({ verb: 'contacts.check', phoneNumbers: [phoneNumber] });
    if (!asked.ok) return asked;
    const found = asked.answer.contacts.find((contact) => contact.phoneNumber === phoneNumber);
    return found === undefined
      ? refuse('SENDER_UNAVAILABLE', 'The network did not say whether the recipient is there.')
      : { ok: true, onNetwork: found.onNetwork, ...(found.address && { address: found.address }) };
  }

  /** Asks something of the network, as its verb has it. Groups that change are known here as they are then. */
  async askNetwork(query: NetworkQuery): Promise<{ ok: true; answer: object } | Refusal> {
    const { queries, groupSync } = this.#parts;
    if (query.verb === 'groups.sync') {
      const asked = await groupSync.ask();
      this.#timers.arm();
      return asked;
    }
    return query.verb.startsWith('groups.')
      ? this.#groupVerbs.ask(query as QueryOf<GroupVerb>)
      : queries.ask(query);
  }

  /** Somebody looks at a chat, and wants to see when its other side types. Nobody waits for anything. */
  watchChat(chat: string): void {
    const { queries, link, device } = this.#parts;
    if (device.current?.state !== 'connected' || queries.heldUntil('chats.watch') !== null) return;
    if (link.ready !== null) queries.tell({ verb: 'chats.watch', chat });
  }

  /** Of highest id first, behind `before`; `hasMore` where the page does not hold all of them. */
  groups(limit: number, before: string | null): { groups: Group[]; hasMore: boolean } {
    return this.#parts.groups.page(limit, before);
  }

  group(groupId: string): Group | null {
    return this.#parts.groups.find(groupId);
  }

  /** Whose it is; null when it is nobody's, or not any more. */
  accountId(): string | null {
    const device = this.#parts.device.current;
    return device && device.removedAt === null ? device.accountId : null;
  }

  /**
   * Takes over how fast the number may speak, from the next message on, and how its session behaves. `revision`: the
   * account's when it was read; one that arrives behind a later one changes nothing.
   */
  async configure(pacing: Pacing, revision = 0, session?: StoredSessionSettings): Promise<void> {
    if (session && this.#parts.session.configure(session, revision)) await this.#instruct();
    if (!this.#parts.pace.configure(pacing, revision, Date.now())) return;
    this.#parts.news.forgetNoticed();
    this.#settle();
  }

  /** The account wants messages back that nobody is to send any more. What a bridge has been given stays. */
  giveBack(messageIds: readonly string[]): void {
    const { device, returns } = this.#parts;
    if (device.current === null || !this.#commit(() => returns.cancel(messageIds))) return;
    this.#settle();
  }

  /** How the number does as a sender, and the latest changes of that, newest first. */
  health(): Health & { changes: HealthChange[] } {
    const { health, device } = this.#parts;
    return { ...health.shown(device.known, Date.now()), changes: health.changes() };
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
    const next = { state: 'pairing', desired: 'pair', reason: null, pairing, keptUntil: null } as const;
    return this.#steer({ ...device, ...next });
  }

  /** Connects a linked device that was disconnected on request, or that a ban has put out of which the keys are kept. */
  async connectSession(): Promise<Done | Refusal> {
    const device = this.#parts.device.known;
    if (!canConnect(device, Date.now())) return refuseUnlinked(device);
    return this.#steer({ ...device, desired: 'run' });
  }

  /** Entries of the vault that do not begin so (hexadecimal digits): how one begins says under which key of the bridges it is sealed. */
  vaultEntriesNotUnder(beginning: string): number {
    return this.#parts.vault.countOutdated(Buffer.from(beginning, 'hex'));
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

  /** Its phone was linked to a number of another account too: whoever looks at this one is told. */
  notePhoneLinkedElsewhere(phoneNumber: string): void {
    const device = this.#parts.device.current;
    if (!device || !isLinked(device) || device.phoneNumber !== phoneNumber) return;
    log('device.linked_elsewhere', { numberId: device.numberId });
    if (device.reason === linkedElsewhere) return;
    this.#parts.device.change({ ...device, reason: linkedElsewhere }, Date.now());
    this.#settle(true);
  }

  /** The number is deleted: what waits goes back to the account, its session is logged out, and what it knew goes. */
  async remove(): Promise<void> {
    const device = this.#parts.device.current;
    if (!device || device.removedAt !== null) return;
    const desired = isLinked(device) ? 'logout' : 'none';
    await this.#steer({ ...device, desired, pairing: null, removedAt: Date.now() });
  }

  // --- the bridge --------------------------------------------------------------------------------------------------

  /**
   * Only the WebSocket upgrade of a bridge, which the Worker has authenticated. It bears the fleet's grant, or the standing
   * that the fleet has told the Worker: under a lease that is over, or an earlier epoch than the last, a bridge may only
   * report.
   */
  override fetch(request: Request): Response {
    const asked = linkRequestOf(request);
    const device = this.#parts.device.current;
    if (asked === null) return new Response(null, { status: 400 });
    if (!device || device.isEmptied) return new Response(null, { status: 404 });
    const { bridgeId, epoch } = asked;
    const admission = this.#parts.admission.admit(asked, Date.now());
    if (admission === 'not believed') return new Response(null, { status: 403 });
    if (admission === 'over') return new Response(null, { status: 409 });
    const isReportOnly = admission === 'report';
    if (!isReportOnly && epoch > device.epoch) this.#parts.device.note({ ...device, epoch, bridgeId });
    return this.#parts.link.accept({ bridgeId, epoch, isReportOnly });
  }

  /** Whose files a bridge may read and add to with this grant; null where it is not believed. */
  accountOfGrant(asked: { bridgeId: string; epoch: number; grant: string }): string | null {
    const device = this.#parts.device.current;
    if (!device || device.removedAt !== null) return null;
    const admission = this.#parts.admission.admit({ ...asked, standing: null }, Date.now());
    return admission === 'drive' ? device.accountId : null;
  }

  /** They were erased: when the number last wrote to them is not known any more. */
  forgetRecipient(phoneNumber: string): void {
    this.#parts.pauses.forget(phoneNumber);
  }

  /** The fleet knows nothing of a lease that a bridge has named: it hears of this number, if that wants a bridge. */
  async missBridge(): Promise<void> {
    const device = this.#parts.device.current;
    if (device !== null && device.desired !== 'none') await this.#parts.lease.acquire();
  }

  /** The bridge was revoked: what it says over its links counts no more. */
  dropBridge(bridgeId: string): void {
    // One that is gone believes nobody anyhow, and is to keep nothing.
    if (this.#parts.device.current?.isEmptied === false) this.#parts.admission.revoke(bridgeId);
    this.#parts.link.closeOf(bridgeId);
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const device = this.#parts.device.current;
    const { epoch, isReportOnly } = identityOf(socket);
    if (!device || device.isEmptied) {
      socket.close(linkCloseCodes.gone, 'the number was deleted');
    } else if (epoch < device.epoch && !isReportOnly) {
      socket.close(linkCloseCodes.staleEpoch, 'the lease is over');
    } else {
      await this.#intake.receive(socket, data);
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

  // --- after a change ----------------------------------------------------------------------------------------------

  /**
   * After a commit: messages go to the bridge or back, facts to the log, and the alarm to where it is needed. Within a
   * call of the account that one is not called back: then the alarm tells it.
   */
  #settle(mayTell = false): void {
    const { outbox, dispatch, returns, news, device } = this.#parts;
    if (!device.current) return;
    const now = Date.now();
    dispatch.hand(device.current, now);
    news.notice(now);
    returns.run(device.current, now);
    this.#runMedia(now);
    if (!outbox.isEmpty) this.ctx.waitUntil(outbox.flush());
    if (mayTell) this.ctx.waitUntil(news.tell());
    this.#timers.arm();
  }

  /** What waits for its file is told, and the file asked for. */
  #runMedia(now: number): void {
    const { inboundMedia, link } = this.#parts;
    const dueAt = inboundMedia.dueAt();
    if (dueAt === null || dueAt > now) return;
    let frames: NumberDownFrame[] = [];
    this.#commit(() => {
      inboundMedia.tell(now);
      frames = inboundMedia.toAsk(now);
    });
    for (const frame of frames) link.send(frame);
  }

  #commit<Result>(change: () => Result): Result {
    try {
      return this.ctx.storage.transactionSync(change);
    } catch (error) {
      reloadNumber(this.#parts);
      throw error;
    }
  }

  /** Changes what is wanted of the session, and sees to it that a bridge knows. */
  async #steer(next: Device): Promise<Done> {
    const linkLostAt = next.desired === 'none' || this.#parts.link.socket ? null : Date.now();
    this.#parts.device.change({ ...next, linkLostAt }, Date.now());
    await this.#instruct();
    const asked = this.#askFleet();
    this.#settle();
    await asked;
    return done;
  }

  /**
   * Tells the bridge that has caught up what the session is to do. Another one hears it when it is ready. Never throws:
   * settings that cannot be read are mended by sending them again.
   */
  async #instruct(): Promise<void> {
    const { device, link, session, queue } = this.#parts;
    if (!device.current || !link.ready) return;
    try {
      const frame = await session.instruction(device, queue.recipientsAtOthers(link.ready.bridgeId));
      if (frame && link.ready) link.send(frame);
    } catch (error) {
      logFault('session.not_instructed', error, { numberId: device.known.numberId });
    }
  }

  /** What the fleet could not be told now is told by a timer. Never throws. */
  async #askFleet(): Promise<void> {
    try {
      await this.#parts.lease.tell();
    } catch (error) {
      logFault('fleet.not_told', error, { numberId: this.#parts.device.known.numberId });
      this.#timers.arm();
    }
  }

  #noteLinkLoss(): void {
    const device = this.#parts.device.current;
    if (!device || device.desired === 'none' || device.linkLostAt !== null || this.#parts.link.socket) return;
    this.#parts.device.note({ ...device, linkLostAt: Date.now() });
    log('link.lost', { numberId: device.numberId });
  }

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }
}

function refuseUnlinked(device: Device): Refusal {
  return refuse('CONFLICT', `No device is linked to this number (${device.state}). Pair it first.`);
}
