import {
  bridgeProtocolVersion,
  type ControlUpFrame,
  controlDownFrameSchema,
  isSpokenVersion,
  leaseTimes,
  linkCloseCodes,
} from '../../contract/bridge/bridge-frames.ts';
import { release } from '../../contract/release.ts';
import type { BridgeConfig } from '../config.ts';
import type { BridgeCounting } from '../health/counting.ts';
import type { AfterCommit } from '../journal/database.ts';
import type { Lease } from '../journal/leases.ts';
import type { Log } from '../logging.ts';
import { type AfterClose, EdgeConnection } from './edge-connection.ts';
import type { Grants } from './grants.ts';
import type { LeaseClock } from './lease-clock.ts';

export interface ControlLinkOptions {
  config: BridgeConfig;
  bridgeId: string;
  /** What it proves that id with. */
  token: string;
  afterCommit: AfterCommit;
  log: Log;
  /** The leases to name in the next hello. */
  heldLeases: () => Lease[];
  /** Kept running by the answers to this link's pings. */
  leaseClock: LeaseClock;
  /** Takes what the fleet has signed. */
  grants: Grants;
  counting: BridgeCounting;
  onWelcome: () => void;
  onGranted: (lease: Lease) => void;
  onRevoked: (lease: Lease) => void;
  /** Another bridge may have the number by now. */
  onExpired: (lease: Lease) => void;
}

/** After this many pings without a response, a link is replaced. */
const missedPongsMax = 20;
/** The leases last only for a moment without a link: the first attempts to come back follow quickly. */
const reconnectBaseMsMax = 250;
const statusEveryMs = 10_000;
/** From this version on a status tells what was counted. */
const countsVersion = 11;
const unauthorized = 401;
const forbidden = 403;
const { replaced, protocolError, revoked } = linkCloseCodes;
const comesBackSlowly: number[] = [replaced, protocolError];
const refusesToken: number[] = [revoked, unauthorized, forbidden];

/**
 * Replaced by another process with our identity, not understood, or refused: to reconnect at once would only cause a fight.
 */
function afterControlClose(code: number): AfterClose {
  if (refusesToken.includes(code)) return 'reconnect refused';
  return comesBackSlowly.includes(code) ? 'reconnect slowly' : 'reconnect';
}

/** The bridge's own link to the fleet: says who it is, and learns which numbers to drive. */
export class ControlLink {
  readonly #connection: EdgeConnection;
  readonly #status: NodeJS.Timeout;
  readonly #counting: BridgeCounting;
  /** As both sides speak it over this link. */
  #version = 0;
  #isWelcome = false;
  #draining = false;

  constructor(options: ControlLinkOptions) {
    const { config, bridgeId, token, afterCommit, log, heldLeases, leaseClock } = options;
    this.#counting = options.counting;
    const { grants, onWelcome, onGranted, onRevoked, onExpired } = options;
    const { reconnectBaseMs } = config.timings;
    this.#status = setInterval(() => this.#sayStatus(), statusEveryMs);
    this.#connection = new EdgeConnection({
      url: `${config.gatewayUrl}/bridge/control`,
      token,
      timings: { ...config.timings, reconnectBaseMs: Math.min(reconnectBaseMs, reconnectBaseMsMax) },
      pings: {
        everyMs: leaseTimes.pingEveryMs,
        missedMax: missedPongsMax,
        onPing: () => leaseClock.pinged(this.#isWelcome),
        onPong: () => leaseClock.ponged(),
      },
      afterCommit,
      log: log.child({ link: 'control' }),
      onOpen: () => {
        const { capacity } = config;
        this.#send({
          type: 'bridge.hello',
          version: bridgeProtocolVersion,
          bridgeId,
          capacity,
          leases: heldLeases(),
          release,
        });
        if (this.#draining) this.#send({ type: 'bridge.draining' });
      },
      onFrame: (text) => {
        const frame = controlDownFrameSchema.parse(JSON.parse(text));
        this.#connection.resetBackoff();
        switch (frame.type) {
          case 'bridge.welcome':
            if (!isSpokenVersion(frame.version)) throw new Error(`welcomed to version ${frame.version}`);
            log.info({ bridgeId, version: frame.version }, 'control.ready');
            this.#isWelcome = true;
            this.#version = frame.version;
            leaseClock.welcomed(frame.leaseMs);
            this.#connection.ping();
            this.#sayStatus();
            onWelcome();
            break;
          case 'leases.renewed':
            for (const { grant, ...lease } of frame.leases) grants.store(lease, grant);
            break;
          case 'lease.granted':
            if (frame.grant !== undefined) grants.store(frame, frame.grant);
            onGranted({ numberId: frame.numberId, epoch: frame.epoch });
            break;
          case 'lease.revoked':
            onRevoked({ numberId: frame.numberId, epoch: frame.epoch });
            break;
          case 'lease.expired':
            onExpired({ numberId: frame.numberId, epoch: frame.epoch });
            break;
        }
      },
      onClose: () => {
        this.#isWelcome = false;
        leaseClock.linkLost();
        log.info('control.closed');
      },
      afterClose: afterControlClose,
    });
  }

  /** The gateway has taken this bridge's hello, over the link that it has now. */
  get isWelcome(): boolean {
    return this.#isWelcome;
  }

  /** Tells the fleet that this bridge no longer drives the number. Without a link the next hello tells it. */
  release({ numberId, epoch }: Lease): void {
    this.#send({ type: 'lease.released', numberId, epoch });
  }

  drain(): void {
    this.#draining = true;
    this.#send({ type: 'bridge.draining' });
  }

  close(): void {
    clearInterval(this.#status);
    this.#connection.close();
  }

  #sayStatus(): void {
    if (!this.#isWelcome) return;
    const counts = this.#version >= countsVersion ? { counts: this.#counting.counts } : {};
    this.#send({ type: 'bridge.status', residentBytes: process.memoryUsage.rss(), ...counts });
  }

  #send(frame: ControlUpFrame): void {
    this.#connection.send(frame);
  }
}
