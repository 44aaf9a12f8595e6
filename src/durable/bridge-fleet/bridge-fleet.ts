import { DurableObject } from 'cloudflare:workers';
import { bridgeProtocolVersion, type ControlUpFrame, linkCloseCodes } from '../../contract/bridge-frames.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { migrateObject } from '../object-migrations.ts';
import { ControlLinks, parseFrame, sendTo } from './control-links.ts';
import { bridgeFleetMigrations } from './migrations.ts';
import { type BridgeLoad, placeNumber } from './placement.ts';

type Lease = { number_id: string; bridge_id: string | null; epoch: number };

/** Holders of a number that are remembered. */
const holdersMax = 20;

/**
 * The numbers that wait, those first whose account would then hold the fewest: while others wait, no account takes more
 * of the room than its share.
 */
const nextInTurn = `
  SELECT number_id, bridge_id, epoch FROM (
    SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY number_id) + (
      SELECT count(*) FROM leases AS held WHERE held.account_id IS leases.account_id AND held.bridge_id IS NOT NULL
    ) AS turn
    FROM leases WHERE wanted = 1 AND bridge_id IS NULL
  ) ORDER BY turn, number_id LIMIT ?`;

/**
 * Which bridges are there, and which of them drives which number. Owns the leases, in SQLite; the control sockets
 * hibernate, with the bridge's id in their attachment. A lease has one holder, and its epoch rises with each new one.
 */
export class BridgeFleet extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #links: ControlLinks;
  readonly #timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, bridgeFleetMigrations);
    this.#sql = ctx.storage.sql;
    this.#links = new ControlLinks(ctx);
    this.#timers = new NamedTimers(ctx.storage, [
      { name: 'silent_bridges', dueAt: () => this.#links.silentAt(), run: (now) => this.#closeSilent(now) },
    ]);
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  /** Sees to it that a bridge drives the number, now or as soon as one has room. Repeating it changes nothing. */
  acquire(numberId: string, accountId: string | null = null): void {
    const held = this.#lease(numberId)?.bridge_id;
    this.#sql.exec(
      `INSERT INTO leases (number_id, bridge_id, epoch, wanted, account_id) VALUES (?, NULL, 0, 1, ?)
       ON CONFLICT DO UPDATE SET wanted = 1 WHERE wanted = 0`,
      numberId,
      accountId,
    );
    if (!held) this.#place();
  }

  /** The number needs no bridge any more. */
  release(numberId: string): void {
    const lease = this.#lease(numberId);
    if (!lease) return;
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec('UPDATE leases SET wanted = 0 WHERE number_id = ?', numberId);
      this.#assign(lease, null, lease.epoch);
    });
    if (lease.bridge_id) {
      this.#links.send(lease.bridge_id, { type: 'lease.revoked', numberId, epoch: lease.epoch });
      this.#place();
    }
  }

  /**
   * What a bridge may do over a link of this number: `drive` it under the lease that it holds, only `report` under one
   * that it held before, or nothing.
   */
  standing(numberId: string, bridgeId: string, epoch: number): 'drive' | 'report' | null {
    const lease = this.#lease(numberId);
    if (lease?.bridge_id === bridgeId && lease.epoch === epoch) return 'drive';
    const held = 'SELECT 1 FROM lease_holders WHERE number_id = ? AND epoch = ? AND bridge_id = ?';
    return this.#sql.exec(held, numberId, epoch, bridgeId).toArray().length > 0 ? 'report' : null;
  }

  /** Bridges that are linked now and take work. */
  stats(): { bridges: number } {
    return { bridges: this.#loads().filter((bridge) => !bridge.draining).length };
  }

  /** Only the WebSocket upgrade of a bridge, which the Worker has authenticated. */
  override fetch(request: Request): Response {
    if (request.headers.get('Upgrade') !== 'websocket') return new Response(null, { status: 400 });
    const response = this.#links.accept(Date.now());
    this.#timers.arm();
    return response;
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const frame = parseFrame(data);
    const bridgeId = this.#links.bridgeOf(socket);
    if (frame?.type === 'bridge.hello') {
      if (frame.version === bridgeProtocolVersion) this.#welcome(socket, frame);
      else socket.close(linkCloseCodes.protocolError, `this edge speaks version ${bridgeProtocolVersion}`);
    } else if (frame?.type === 'bridge.draining' && bridgeId) {
      this.#sql.exec('UPDATE bridges SET draining = 1 WHERE bridge_id = ?', bridgeId);
      log('bridge.draining', { bridgeId });
    } else if (frame?.type === 'lease.released' && bridgeId) {
      const lease = this.#lease(frame.numberId);
      if (lease?.bridge_id === bridgeId && lease.epoch === frame.epoch) {
        this.ctx.storage.transactionSync(() => this.#assign(lease, null, lease.epoch));
      }
      this.#place();
    } else {
      socket.close(
        linkCloseCodes.protocolError,
        bridgeId ? 'no frame of this protocol' : 'hello comes first',
      );
    }
  }

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }

  #welcome(socket: WebSocket, hello: Extract<ControlUpFrame, { type: 'bridge.hello' }>): void {
    const { bridgeId } = hello;
    // A bridge that claims to have room for everybody would be given everybody.
    const capacity = Math.min(hello.capacity, settingsOf(this.env).BRIDGE_CAPACITY_MAX);
    const earlier = this.#links.socketOf(bridgeId);
    if (earlier !== socket) earlier?.close(linkCloseCodes.replaced, 'a newer control link took over');
    this.#links.identify(socket, bridgeId);
    this.#sql.exec(
      `INSERT INTO bridges (bridge_id, capacity, draining, leases) VALUES (?, ?, 0, 0)
       ON CONFLICT DO UPDATE SET capacity = excluded.capacity, draining = 0`,
      bridgeId,
      capacity,
    );
    sendTo(socket, { type: 'bridge.welcome', version: bridgeProtocolVersion });
    const held = this.#sql.exec<Lease>('SELECT * FROM leases WHERE bridge_id = ?', bridgeId).toArray();
    for (const { numberId, epoch } of hello.leases) {
      const stillHeld = held.some((lease) => lease.number_id === numberId && lease.epoch === epoch);
      if (!stillHeld) sendTo(socket, { type: 'lease.revoked', numberId, epoch });
    }
    for (const lease of held)
      sendTo(socket, { type: 'lease.granted', numberId: lease.number_id, epoch: lease.epoch });
    log('bridge.linked', { bridgeId, capacity, leases: held.length });
    this.#place();
  }

  /** A link whose other end is gone without a word: its bridge gets nothing new until it links again. */
  #closeSilent(now: number): void {
    for (const bridgeId of this.#links.closeSilent(now)) log('bridge.silent', { bridgeId });
  }

  /** Gives numbers that wait for a bridge to those with the most room, as long as there is any, in turn by account. */
  #place(): void {
    const loads = this.#loads();
    const room = loads.reduce((sum, { capacity, leases }) => sum + Math.max(0, capacity - leases), 0);
    if (room === 0) return;
    const waiting = this.#sql.exec<Lease>(nextInTurn, room).toArray();
    for (const lease of waiting) {
      const bridgeId = placeNumber(loads);
      if (bridgeId === null) return;
      const { number_id: numberId } = lease;
      const epoch = lease.epoch + 1;
      this.ctx.storage.transactionSync(() => this.#assign(lease, bridgeId, epoch));
      for (const load of loads) if (load.bridgeId === bridgeId) load.leases += 1;
      this.#links.send(bridgeId, { type: 'lease.granted', numberId, epoch });
      log('lease.granted', { numberId, bridgeId, epoch });
    }
  }

  /** Every change of a lease's holder comes here, inside a transaction, so that the bridges' counts stay right. */
  #assign(lease: Lease, bridgeId: string | null, epoch: number): void {
    this.#sql.exec(
      'UPDATE leases SET bridge_id = ?, epoch = ? WHERE number_id = ?',
      bridgeId,
      epoch,
      lease.number_id,
    );
    if (bridgeId !== null) this.#noteHolder(lease.number_id, bridgeId, epoch);
    this.#sql.exec('UPDATE bridges SET leases = leases - 1 WHERE bridge_id = ?', lease.bridge_id);
    this.#sql.exec('UPDATE bridges SET leases = leases + 1 WHERE bridge_id = ?', bridgeId);
  }

  #noteHolder(numberId: string, bridgeId: string, epoch: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO lease_holders VALUES (?, ?, ?)', numberId, epoch, bridgeId);
    const tooOld = 'DELETE FROM lease_holders WHERE number_id = ? AND epoch <= ?';
    this.#sql.exec(tooOld, numberId, epoch - holdersMax);
  }

  /** The bridges that are linked now, with how many numbers they hold. */
  #loads(): BridgeLoad[] {
    return this.#links.bridgeIds.flatMap((bridgeId) =>
      this.#sql
        .exec<{ capacity: number; draining: number; leases: number }>(
          'SELECT capacity, draining, leases FROM bridges WHERE bridge_id = ?',
          bridgeId,
        )
        .toArray()
        .map(({ capacity, draining, leases }) => ({ bridgeId, capacity, draining: draining === 1, leases })),
    );
  }

  #lease(numberId: string): Lease | undefined {
    return this.#sql.exec<Lease>('SELECT * FROM leases WHERE number_id = ?', numberId).toArray()[0];
  }
}
