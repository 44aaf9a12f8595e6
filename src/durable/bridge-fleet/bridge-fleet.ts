import { DurableObject } from 'cloudflare:workers';
import {
  bridgeProtocolVersion,
  type ControlDownFrame,
  type ControlUpFrame,
  controlUpFrameSchema,
  linkCloseCodes,
} from '../../contract/bridge-frames.ts';
import { log } from '../log.ts';
import { migrateObject } from '../object-migrations.ts';
import { bridgeFleetMigrations } from './migrations.ts';
import { type BridgeLoad, placeNumber } from './placement.ts';

/** Kept with the control socket; null until the bridge has said who it is. */
interface ControlIdentity {
  bridgeId: string | null;
}

type Lease = { number_id: string; bridge_id: string | null; epoch: number };

/**
 * Which bridges are there, and which of them drives which number. Owns the leases, in SQLite; the control sockets
 * hibernate, with the bridge's id in their attachment. A lease has one holder, and its epoch rises with each new one.
 */
export class BridgeFleet extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, bridgeFleetMigrations);
    this.#sql = ctx.storage.sql;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Sees to it that a bridge drives the number, now or as soon as one has room. Repeating it changes nothing. */
  acquire(numberId: string): void {
    const held = this.#lease(numberId)?.bridge_id;
    this.#sql.exec(
      `INSERT INTO leases (number_id, bridge_id, epoch, wanted) VALUES (?, NULL, 0, 1)
       ON CONFLICT DO UPDATE SET wanted = 1 WHERE wanted = 0`,
      numberId,
    );
    if (!held) this.#place();
  }

  /** The number needs no bridge any more. */
  release(numberId: string): void {
    const lease = this.#lease(numberId);
    if (!lease) return;
    this.#sql.exec('UPDATE leases SET bridge_id = NULL, wanted = 0 WHERE number_id = ?', numberId);
    if (lease.bridge_id) this.#send(lease.bridge_id, { type: 'lease.revoked', numberId, epoch: lease.epoch });
  }

  /** Bridges that are linked now and take work. */
  stats(): { bridges: number } {
    return { bridges: this.#loads().filter((bridge) => !bridge.draining).length };
  }

  /** Only the WebSocket upgrade of a bridge, which the Worker has authenticated. */
  override fetch(request: Request): Response {
    if (request.headers.get('Upgrade') !== 'websocket') return new Response(null, { status: 400 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    identify(server, { bridgeId: null });
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const frame = parse(data);
    const { bridgeId } = identityOf(socket);
    if (frame?.type === 'bridge.hello') {
      if (frame.version === bridgeProtocolVersion) this.#welcome(socket, frame);
      else socket.close(linkCloseCodes.protocolError, `this edge speaks version ${bridgeProtocolVersion}`);
    } else if (frame?.type === 'bridge.draining' && bridgeId) {
      this.#sql.exec('UPDATE bridges SET draining = 1 WHERE bridge_id = ?', bridgeId);
      log('bridge.draining', { bridgeId });
    } else if (frame?.type === 'lease.released' && bridgeId) {
      this.#sql.exec(
        'UPDATE leases SET bridge_id = NULL WHERE number_id = ? AND bridge_id = ? AND epoch = ?',
        frame.numberId,
        bridgeId,
        frame.epoch,
      );
      this.#place();
    } else {
      socket.close(
        linkCloseCodes.protocolError,
        bridgeId ? 'no frame of this protocol' : 'hello comes first',
      );
    }
  }

  #welcome(socket: WebSocket, hello: Extract<ControlUpFrame, { type: 'bridge.hello' }>): void {
    const { bridgeId, capacity } = hello;
    this.#socketOf(bridgeId)?.close(linkCloseCodes.replaced, 'a newer control link took over');
    identify(socket, { bridgeId });
    this.#sql.exec(
      'INSERT OR REPLACE INTO bridges (bridge_id, capacity, draining) VALUES (?, ?, 0)',
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

  /** Gives every wanted number without a holder to the bridge with the most room. */
  #place(): void {
    const loads = this.#loads();
    const waiting = this.#sql
      .exec<Lease>('SELECT * FROM leases WHERE wanted = 1 AND bridge_id IS NULL')
      .toArray();
    for (const { number_id: numberId, epoch: lastEpoch } of waiting) {
      const bridgeId = placeNumber(loads);
      if (bridgeId === null) return;
      const epoch = lastEpoch + 1;
      this.#sql.exec(
        'UPDATE leases SET bridge_id = ?, epoch = ? WHERE number_id = ?',
        bridgeId,
        epoch,
        numberId,
      );
      for (const load of loads) if (load.bridgeId === bridgeId) load.leases += 1;
      this.#send(bridgeId, { type: 'lease.granted', numberId, epoch });
      log('lease.granted', { numberId, bridgeId, epoch });
    }
  }

  /** The bridges that are linked now, with what they hold. */
  #loads(): BridgeLoad[] {
    return this.#sql
      .exec<{ bridge_id: string; capacity: number; draining: number; leases: number }>(
        `SELECT bridge_id, capacity, draining,
           (SELECT count(*) FROM leases WHERE leases.bridge_id = bridges.bridge_id) AS leases FROM bridges`,
      )
      .toArray()
      .filter((row) => this.#socketOf(row.bridge_id) !== undefined)
      .map(({ bridge_id: bridgeId, capacity, draining, leases }) => ({
        bridgeId,
        capacity,
        draining: draining === 1,
        leases,
      }));
  }

  #lease(numberId: string): Lease | undefined {
    return this.#sql.exec<Lease>('SELECT * FROM leases WHERE number_id = ?', numberId).toArray()[0];
  }

  #socketOf(bridgeId: string): WebSocket | undefined {
    return this.ctx
      .getWebSockets()
      .find((socket) => socket.readyState === WebSocket.OPEN && identityOf(socket).bridgeId === bridgeId);
  }

  #send(bridgeId: string, frame: ControlDownFrame): void {
    const socket = this.#socketOf(bridgeId);
    if (socket) sendTo(socket, frame);
  }
}

function parse(data: string | ArrayBuffer): ControlUpFrame | null {
  try {
    return controlUpFrameSchema.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}

function sendTo(socket: WebSocket, frame: ControlDownFrame): void {
  socket.send(JSON.stringify(frame));
}

function identify(socket: WebSocket, identity: ControlIdentity): void {
  socket.serializeAttachment(identity);
}

function identityOf(socket: WebSocket): ControlIdentity {
  return socket.deserializeAttachment() as ControlIdentity;
}
