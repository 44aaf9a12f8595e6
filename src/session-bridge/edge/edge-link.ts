import {
  bridgeProtocolVersion,
  isSpokenVersion,
  linkCloseCodes,
  type NumberDownFrame,
  type NumberUpFrame,
  numberDownFrameSchema,
  type VaultEntry,
} from '../../contract/bridge/bridge-frames.ts';
import type { TypingState } from '../../contract/bridge/network-queries.ts';
import type { OutboundContent } from '../../contract/messages/actions.ts';
import type { BridgeConfig } from '../config.ts';
import type { AfterCommit } from '../journal/database.ts';
import type { FactLog } from '../journal/facts.ts';
import type { Lease } from '../journal/leases.ts';
import type { Log } from '../logging.ts';
import { EdgeConnection } from './edge-connection.ts';
import type { Grants } from './grants.ts';

/** Where the link of a number is opened. The edge lets in only the bridge that its fleet has given this lease. */
function numberLinkUrl(gatewayUrl: string, { numberId, epoch }: Lease): string {
  return `${gatewayUrl}/bridge/numbers/${numberId}?epoch=${epoch}`;
}

/** How the edge refuses the upgrade of a link whose lease is over. */
const staleEpochStatus = 409;
/** How the edge refuses the upgrade for a number that it does not know, for example while a backup comes back. */
const unknownNumberStatus = 404;

/** How a number says that it does not believe the grant. Anything else that it cannot do with one is meant too. */
const grantRefusals: number[] = [400, 403];

export function isGrantRefusal(status: number): boolean {
  return grantRefusals.includes(status);
}

/** What the end of a number's link means, by its close code or the status of a refused upgrade. */
export function afterNumberLink(code: number): 'reconnect' | 'reconnect slowly' | 'stale epoch' | 'gone' {
  switch (code) {
    case linkCloseCodes.gone:
      return 'gone';
    case linkCloseCodes.staleEpoch:
    case staleEpochStatus:
      return 'stale epoch';
    // Replaced by another process under our identity, misunderstood or unknown: to come back at once would not help.
    case linkCloseCodes.revoked:
    case linkCloseCodes.replaced:
    case linkCloseCodes.protocolError:
    case unknownNumberStatus:
      return 'reconnect slowly';
    default:
      return 'reconnect';
  }
}

export interface NumberLinkOptions {
  config: BridgeConfig;
  bridgeId: string;
  /** What it proves that id with. */
  token: string;
  lease: Lease;
  /** Left out where the lease is over: then the link may only report. */
  grants?: Grants;
  facts: FactLog;
  afterCommit: AfterCommit;
  log: Log;
}

type FurtherFrame = Exclude<NumberDownFrame, { type: 'fact.ack' | 'fact.refused' }>;

interface NumberLinkEvents {
  /** Every fact that stood in the journal when the link opened was sent. */
  onCaughtUp: () => void;
  /** A frame that is not about facts. */
  onFrame: (frame: FurtherFrame) => void;
  onClose: () => void;
  /** The lease is over, or the number was deleted: the link stays closed. */
  onOver: (why: 'stale epoch' | 'gone') => void;
}

/** A link of one number to its PhoneNumber object: it says who it is, and carries the facts. */
export function openNumberLink(
  { config, bridgeId, token, lease, grants, facts, afterCommit, log }: NumberLinkOptions,
  { onCaughtUp, onFrame, onClose, onOver }: NumberLinkEvents,
): EdgeConnection {
  const connection = new EdgeConnection({
    url: numberLinkUrl(config.gatewayUrl, lease),
    token,
    headers: () => grants?.headersOf(lease) ?? {},
    timings: config.timings,
    afterCommit,
    log,
    onOpen: () => {
      connection.send({
        type: 'link.hello',
        version: bridgeProtocolVersion,
        bridgeId,
        epoch: lease.epoch,
      });
      facts.attach({ send: (frame) => connection.send({ type: 'fact', ...frame }), onCaughtUp });
    },
    onFrame: (text) => {
      const frame = numberDownFrameSchema.parse(JSON.parse(text));
      connection.resetBackoff();
      if (frame.type === 'fact.ack') facts.acknowledge(frame.seq);
      else if (frame.type === 'fact.refused') facts.refuse(frame.seq, frame.reason);
      else onFrame(frame);
    },
    onClose: () => {
      facts.detach();
      onClose();
    },
    afterClose: (code) => {
      if (isGrantRefusal(code)) grants?.drop(lease);
      const next = afterNumberLink(code);
      if (next !== 'gone' && next !== 'stale epoch') return next;
      onOver(next);
      return 'stay closed';
    },
  });
  return connection;
}

/** What the PhoneNumber object asks of a session; the rest of its frames the link answers for itself. */
export type NumberCommand = Extract<
  NumberDownFrame,
  { type: 'session.start' | 'session.pair' | 'session.stop' | 'send' | 'query' | 'media.fetch' }
>;

export interface EdgeLinkOptions extends Required<NumberLinkOptions> {
  onCommand: (command: NumberCommand) => void;
  /** The lease is over, or the number was deleted: the session must end, and the link stays closed. */
  onOver: (why: 'stale epoch' | 'gone') => void;
}

/** What was sent earlier, and to whom as far as the edge says so. */
interface KnownContent {
  content: OutboundContent;
  to: string | null;
}

type Answer = VaultEntry[] | KnownContent | null;

interface Request {
  frame: Extract<NumberUpFrame, { requestId: number }>;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** The link was closed permanently while a response was awaited. */
class LinkClosedError extends Error {
  constructor() {
    super('The link to the edge is closed.');
  }
}

/**
 * One number's link to its PhoneNumber object. After each open it identifies itself and repeats every unacknowledged fact.
 * Only then does it send queries or accept commands, so that the object's vault is current before it is read. If the edge
 * allows only reports, the lease has ended.
 */
export class EdgeLink {
  readonly #options: EdgeLinkOptions;
  readonly #connection: EdgeConnection;
  readonly #requests = new Map<number, Request>();
  #nextRequestId = 1;
  #ready = false;
  #closed = false;

  constructor(options: EdgeLinkOptions) {
    this.#options = options;
    this.#connection = openNumberLink(options, {
      onCaughtUp: () => {
        this.#send({ type: 'link.ready' });
        this.#ready = true;
        for (const { frame } of this.#requests.values()) this.#send(frame);
      },
      onFrame: (frame) => this.#receive(frame),
      onClose: () => {
        this.#ready = false;
        this.#dropOutdated();
      },
      onOver: options.onOver,
    });
  }

  /** Reads vault entries; waits for a link as long as it takes. Rejects with {@link LinkClosedError} on close. */
  async vaultEntries(keys: string[]): Promise<VaultEntry[]> {
    const requestId = this.#nextRequestId++;
    return (await this.#ask({ type: 'vault.get', requestId, keys })) as VaultEntry[];
  }

  /** The next entries behind `after` that do not begin so; null where the edge cannot be asked now. */
  async outdatedEntries(beginning: string, after: string | null): Promise<VaultEntry[] | null> {
    if (!this.#ready) return null;
    const requestId = this.#nextRequestId++;
    return (await this.#ask({ type: 'vault.outdated', requestId, beginning, after })) as VaultEntry[] | null;
  }

  /** The content of a message sent earlier, or null when it is not known any more. */
  async content(providerMessageId: string): Promise<KnownContent | null> {
    const requestId = this.#nextRequestId++;
    return (await this.#ask({ type: 'content.get', requestId, providerMessageId })) as KnownContent | null;
  }

  /** Responds to a `query`. If the link is gone, the edge repeats the query. */
  answerQuery(frame: Extract<NumberUpFrame, { type: 'query.result' | 'query.failed' }>): void {
    if (this.#ready) this.#send(frame);
  }

  /** True for a moment: what cannot be said now is left out. */
  tellTyping(typing: { phoneNumber: string | null; lid: string | null; state: TypingState }): void {
    if (!this.#ready) return;
    const { phoneNumber, lid, state } = typing;
    this.#send({
      type: 'chat.typing',
      ...(phoneNumber !== null && { phoneNumber }),
      ...(lid !== null && { lid }),
      state,
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close();
    this.#options.facts.detach();
    for (const { reject } of this.#requests.values()) reject(new LinkClosedError());
    this.#requests.clear();
  }

  #receive(frame: FurtherFrame): void {
    switch (frame.type) {
      case 'link.welcome':
        if (frame.reportOnly) {
          this.close();
          this.#options.onOver('stale epoch');
          break;
        }
        if (!isSpokenVersion(frame.version)) throw new Error(`welcomed to version ${frame.version}`);
        this.#options.log.info({ version: frame.version }, 'edge.link_ready');
        break;
      case 'vault.entries':
        this.#answer(frame.requestId, frame.entries);
        break;
      case 'content':
        this.#answer(frame.requestId, frame.content && { content: frame.content, to: frame.to ?? null });
        break;
      default:
        this.#options.onCommand(frame);
    }
  }

  #ask(frame: Request['frame']): Promise<Answer> {
    if (this.#closed) return Promise.reject(new LinkClosedError());
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#requests.set(frame.requestId, { frame, resolve, reject });
    if (this.#ready) this.#send(frame);
    return promise;
  }

  /** It is asked again over a later link, and nobody has to wait for that. */
  #dropOutdated(): void {
    for (const [requestId, { frame }] of this.#requests)
      if (frame.type === 'vault.outdated') this.#answer(requestId, null);
  }

  #answer(requestId: number, answer: Answer): void {
    const request = this.#requests.get(requestId);
    this.#requests.delete(requestId);
    request?.resolve(answer);
  }

  #send(frame: NumberUpFrame): void {
    this.#connection.send(frame);
  }
}
