import {
  bridgeProtocolVersion,
  linkCloseCodes,
  numberDownFrameSchema,
} from '../../contract/bridge/bridge-frames.ts';
import type { BridgeConfig } from '../config.ts';
import type { AfterCommit } from '../journal/database.ts';
import type { FactLog } from '../journal/facts.ts';
import type { Lease } from '../journal/leases.ts';
import type { Log } from '../logging.ts';
import { afterNumberLink } from './after-number-link.ts';
import { EdgeConnection } from './edge-connection.ts';
import { numberLinkUrl } from './number-link-url.ts';

/** `drained`: the edge has all of it. `gone`: the number was deleted. `refused`: the edge does not want reports now. */
export type ReportEnd = 'drained' | 'gone' | 'refused';

export interface ReportLinkOptions {
  config: BridgeConfig;
  bridgeId: string;
  /** What it proves that id with. */
  token: string;
  /** The lease that is over. */
  lease: Lease;
  /** Its messages alone. */
  facts: FactLog;
  afterCommit: AfterCommit;
  log: Log;
  onEnd: (end: ReportEnd) => void;
}

/**
 * Delivers what the journal holds of a number whose lease is over: outcomes, receipts and messages. It asks for nothing
 * and takes no commands, and it ends when the edge has everything.
 */
export class ReportLink {
  readonly #options: ReportLinkOptions;
  readonly #connection: EdgeConnection;
  #isClosed = false;

  constructor(options: ReportLinkOptions) {
    this.#options = options;
    const { config, bridgeId, token, lease, facts, afterCommit, log } = options;
    this.#connection = new EdgeConnection({
      url: numberLinkUrl(config.gatewayUrl, lease),
      token,
      timings: config.timings,
      afterCommit,
      log,
      protocolErrorCode: linkCloseCodes.protocolError,
      onOpen: () => {
        const { epoch } = lease;
        this.#connection.send({ type: 'link.hello', version: bridgeProtocolVersion, bridgeId, epoch });
        facts.attach({
          send: (frame) => this.#connection.send({ type: 'fact', ...frame }),
          onCaughtUp: () => {},
        });
      },
      onFrame: (text) => this.#receive(text),
      onClose: () => facts.detach(),
      afterClose: (code) => {
        const next = afterNumberLink(code);
        if (next === 'gone' || next === 'stale epoch') {
          this.#end(next === 'gone' ? 'gone' : 'refused');
          return 'stay closed';
        }
        return next;
      },
    });
    void facts.drained().then(() => this.#end('drained'));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.close();
    this.#options.facts.detach();
  }

  #receive(text: string): void {
    const frame = numberDownFrameSchema.parse(JSON.parse(text));
    this.#connection.resetBackoff();
    if (frame.type === 'fact.ack') this.#options.facts.acknowledge(frame.seq);
    if (frame.type === 'fact.refused') this.#options.facts.refuse(frame.seq, frame.reason);
  }

  #end(end: ReportEnd): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onEnd(end);
  }
}
