import type { PairingFailure } from '../../../contract/bridge/device.ts';
import type { NumberCommand } from '../../edge/edge-link.ts';
import type { FactLog } from '../../journal/facts.ts';
import { errorText, type Log } from '../../logging.ts';
import type { ConnectionEnd, NetworkConnection } from '../../network/connection/connection.ts';
import { connectionCodes } from '../../network/connection/connection-end.ts';

export interface PairingDialogueOptions {
  facts: FactLog;
  log: Log;
  /** How long a pairing may take in all. */
  pairingMs: number;
  /** The pairing has failed, and said so: its connection is of no use any more. */
  onFailed: () => void;
}

/** The pairing request in progress, if there is one, and what the edge is told about it. */
export class PairingDialogue {
  readonly #options: PairingDialogueOptions;
  #attempt: PairingAttempt | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PairingDialogueOptions) {
    this.#options = options;
  }

  /** The request that still waits for a phone; null when there is none, or one has linked the device. */
  get unpaired(): PairingAttempt | null {
    return this.#attempt?.isPaired ? null : this.#attempt;
  }

  begin(request: PairingRequest): void {
    this.#attempt = new PairingAttempt(request);
    this.#options.log.info({ method: request.method }, 'pairing.started');
    this.#timer = setTimeout(() => this.fail('expired'), this.#options.pairingMs);
  }

  /** A phone has linked the device before, and it has still to log in for the first time. */
  resume(request: PairingRequest): void {
    this.#attempt = new PairingAttempt(request);
    this.#attempt.isPaired = true;
  }

  /**
   * The network does not know the device that a phone has linked. Of one that has never been logged in this means that the
   * connection ended before the network had heard that the phone was believed: the pairing begins anew, with another code. False
   * when none is under way.
   */
  beginsAnew(): boolean {
    if (!this.#attempt) return false;
    this.begin(this.#attempt.request);
    return true;
  }

  /** The pairing is over, whatever its outcome. */
  end(): void {
    clearTimeout(this.#timer);
    this.#attempt = null;
  }

  showQr(qr: string, expiresAtMs: number, connection: NetworkConnection): void {
    const attempt = this.#attempt;
    if (!attempt) return;
    if (attempt.request.method === 'qr') {
      attempt.hasShownCode = true;
      const expiresAt = new Date(expiresAtMs).toISOString();
      this.#options.facts.append({ type: 'pairing.qr', pairingId: attempt.pairingId, qr, expiresAt });
      this.#options.log.info('pairing.qr_shown');
      return;
    }
    // The first QR code means that the network is ready for a pairing of either kind.
    if (attempt.hasRequestedCode) return;
    attempt.hasRequestedCode = true;
    void this.#requestCode(attempt, connection);
  }

  /** A phone has linked the device. False when nothing was to be paired. */
  paired(): boolean {
    if (!this.#attempt) return false;
    this.#attempt.isPaired = true;
    clearTimeout(this.#timer);
    this.#options.log.info('pairing.done');
    return true;
  }

  fail(failure: PairingFailure): void {
    const attempt = this.unpaired;
    if (!attempt) return;
    this.#options.facts.append({ type: 'pairing.failed', pairingId: attempt.pairingId, failure });
    this.#options.log.warn({ failure }, 'pairing.failed');
    this.#options.onFailed();
  }

  /** Its connection ended before the device was linked. True when another one is to be tried. */
  goesOnAfter(attempt: PairingAttempt, end: ConnectionEnd): boolean {
    const next = attempt.afterLoss(end);
    if (next !== 'again') {
      this.fail(next);
      return false;
    }
    attempt.hasRequestedCode = false;
    return true;
  }

  async #requestCode(attempt: PairingAttempt, connection: NetworkConnection): Promise<void> {
    try {
      const { code, expiresAtMs } = await connection.requestPairingCode(attempt.request.phoneNumber ?? '');
      if (this.#attempt !== attempt) return;
      attempt.hasShownCode = true;
      const expiresAt = new Date(expiresAtMs).toISOString();
      this.#options.facts.append({ type: 'pairing.code', pairingId: attempt.pairingId, code, expiresAt });
      this.#options.log.info('pairing.code_shown');
    } catch (error) {
      // A connection that ended meanwhile is judged by its end.
      if (this.#attempt !== attempt || !attempt.hasRequestedCode) return;
      this.#options.log.warn({ error: errorText(error) }, 'pairing.code_refused');
      this.fail('refused');
    }
  }
}

/** Connections that may be lost before a pairing is given up, without a code on the screen and with one. */
const lossesBeforeCodeMax = 10;
const lossesAfterCodeMax = 2;

/** What the edge asks for. `phoneNumber`: which number a code is for. */
export type PairingRequest = Pick<
  Extract<NumberCommand, { type: 'session.pair' }>,
  'pairingId' | 'method' | 'phoneNumber'
>;

/** One request to pair, from its first connection to the linked device or the failure. */
export class PairingAttempt {
  readonly request: PairingRequest;
  isPaired = false;
  hasShownCode = false;
  hasRequestedCode = false;
  #losses = 0;

  constructor(request: PairingRequest) {
    this.request = request;
  }

  get pairingId(): string {
    return this.request.pairingId;
  }

  /** What the end of a connection before the device was linked means: another try, or a failure. */
  afterLoss({ code }: ConnectionEnd): 'again' | PairingFailure {
    if (this.hasShownCode && code === connectionCodes.lostOrTimedOut) return 'expired';
    const isPassing =
      code === connectionCodes.closed ||
      code === connectionCodes.lostOrTimedOut ||
      code === connectionCodes.unavailable ||
      code === connectionCodes.restartRequired ||
      (code === connectionCodes.badSession && !this.hasShownCode);
    if (!isPassing) return 'refused';
    this.#losses += 1;
    return this.#losses > (this.hasShownCode ? lossesAfterCodeMax : lossesBeforeCodeMax)
      ? 'refused'
      : 'again';
  }
}
