import {
  bridgeProtocolVersion,
  type ControlUpFrame,
  controlDownFrameSchema,
  linkCloseCodes,
} from '../../contract/bridge-frames.ts';
import type { BridgeConfig } from '../config.ts';
import type { AfterCommit } from '../journal/database.ts';
import type { Lease } from '../journal/leases.ts';
import type { Log } from '../logging.ts';
import { EdgeConnection } from './edge-connection.ts';

export interface ControlLinkOptions {
  config: BridgeConfig;
  bridgeId: string;
  afterCommit: AfterCommit;
  log: Log;
  /** The leases to name in the next hello. */
  heldLeases: () => Lease[];
  onGranted: (lease: Lease) => void;
  onRevoked: (lease: Lease) => void;
}

/** The bridge's own link to the fleet: says who it is, and learns which numbers to drive. */
export class ControlLink {
  readonly #connection: EdgeConnection;
  #draining = false;

  constructor({ config, bridgeId, afterCommit, log, heldLeases, onGranted, onRevoked }: ControlLinkOptions) {
    this.#connection = new EdgeConnection({
      url: `${config.gatewayUrl}/bridge/control`,
      bridgeToken: config.bridgeToken,
      timings: config.timings,
      afterCommit,
      log: log.child({ link: 'control' }),
      protocolErrorCode: linkCloseCodes.protocolError,
      onOpen: () => {
        const { capacity } = config;
        this.#send({
          type: 'bridge.hello',
          version: bridgeProtocolVersion,
          bridgeId,
          capacity,
          leases: heldLeases(),
        });
        if (this.#draining) this.#send({ type: 'bridge.draining' });
      },
      onFrame: (text) => {
        const frame = controlDownFrameSchema.parse(JSON.parse(text));
        this.#connection.resetBackoff();
        switch (frame.type) {
          case 'bridge.welcome':
            log.info({ bridgeId }, 'control.ready');
            break;
          case 'lease.granted':
            onGranted({ numberId: frame.numberId, epoch: frame.epoch });
            break;
          case 'lease.revoked':
            onRevoked({ numberId: frame.numberId, epoch: frame.epoch });
            break;
        }
      },
      onClose: () => log.info('control.closed'),
      // Replaced by another process under our identity, or misunderstood: coming back at once would only fight.
      afterClose: (code) =>
        code === linkCloseCodes.replaced || code === linkCloseCodes.protocolError
          ? 'reconnect slowly'
          : 'reconnect',
    });
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
    this.#connection.close();
  }

  #send(frame: ControlUpFrame): void {
    this.#connection.send(frame);
  }
}
