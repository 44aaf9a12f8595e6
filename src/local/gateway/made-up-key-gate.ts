import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '../../contract/errors.ts';
import { ForgedCredentials } from '../../worker/auth/made-up-keys/forged-credentials.ts';
import { answerAtOnce, isSend, noValidKey } from '../../worker/auth/made-up-keys/refusal-at-once.ts';
import { accountOfApiKey } from '../../worker/features/account/keys/api-key.ts';
import { lastAddress } from '../../worker/http/request/address-block.ts';

/**
 * Refuses made-up keys that are to send in front of the runtime, as the Worker would: while their address waits, and in a
 * flood. The first ones of each second go to the Worker, which writes a line of each.
 */
export class MadeUpKeyGate {
  readonly #checksumSecrets: readonly string[];
  readonly #addressHeader: string;
  readonly #forged = new ForgedCredentials();
  #leftOut = 0;

  /** `addressHeader`: the one that tells a client's address by now. */
  constructor(checksumSecrets: readonly string[], addressHeader: string) {
    this.#checksumSecrets = checksumSecrets;
    this.#addressHeader = addressHeader.toLowerCase();
  }

  /** Whether the request is answered here. */
  refuses({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
    const key = headers['x-api-key'];
    const [path = ''] = url.split('?', 1);
    if (typeof key !== 'string' || headers.origin !== undefined || !isSend(method, path)) return false;
    if (accountOfApiKey(key, this.#checksumSecrets) !== null) return false;
    const address = lastAddress(headers[this.#addressHeader]?.toString());
    const refusal = this.#forged.refusalAtOnce(address, noValidKey());
    if (refusal === null) {
      this.#passOn(address);
      return false;
    }
    this.#leftOut += 1;
    void answerMadeUpKey(response, refusal);
    return true;
  }

  #passOn(address: string | null): void {
    this.#forged.takeLine();
    this.#forged.failed(address, noValidKey());
    if (this.#leftOut === 0) return;
    const at = new Date().toISOString();
    console.log(JSON.stringify({ at, event: 'made_up_keys.refused', count: this.#leftOut }));
    this.#leftOut = 0;
  }
}

async function answerMadeUpKey(response: ServerResponse, refusal: Refusal): Promise<void> {
  const { status, headers, body } = await answerAtOnce(refusal);
  const length = ['content-length', String(Buffer.byteLength(body))];
  response.writeHead(status, [...headers.flat(), ...length]).end(body);
}
