import type { PairingFailure } from '../../../contract/bridge/device.ts';
import type { ConnectionEnd } from '../../network/connection/connection.ts';
import { connectionCodes } from '../../network/connection/disconnect-reasons.ts';

/** Connections that may be lost before a pairing is given up, without a code on the screen and with one. */
const lossesBeforeCodeMax = 10;
const lossesAfterCodeMax = 2;

/** One request to pair, from its first connection to the linked device or the failure. */
export class PairingAttempt {
  readonly pairingId: string;
  readonly method: 'qr' | 'code';
  readonly phoneNumber: string | undefined;
  isPaired = false;
  hasShownCode = false;
  hasRequestedCode = false;
  #losses = 0;

  constructor(pairingId: string, method: 'qr' | 'code', phoneNumber: string | undefined) {
    this.pairingId = pairingId;
    this.method = method;
    this.phoneNumber = phoneNumber;
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
