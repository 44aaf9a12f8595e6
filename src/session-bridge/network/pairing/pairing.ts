import { randomBytes } from 'node:crypto';
import {
  aesEncryptCTR,
  type BinaryNode,
  bytesToCrockford,
  derivePairingCodeKey,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  jidEncode,
  S_WHATSAPP_NET,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { DeviceKeys } from '../keys/auth-state.ts';

/** The real network links only clients that look like a browser it knows. */
export const browserIdentity: [string, string, string] = ['Windows', 'Chrome', '10.0.22631'];

const chromeClientId = '1';
/** Lifetimes of the codes as the network sets them: the first is longer. */
const firstQrMs = 60_000;
const laterQrMs = 20_000;
const advSecretBytes = 32;
const advSecretField = 3;

export interface PairingOptions {
  sock: WASocket;
  keys: DeviceKeys;
  /** Lifetime of each QR code; null leaves the network's own. */
  qrTimeoutMs: number | null;
  onQr: (qr: string, expiresAtMs: number) => void;
  onPasskeyRequested: () => void;
}

/** The dialogue in which a phone links this device. */
export class Pairing {
  readonly #options: PairingOptions;
  #qrsShown = 0;
  #refsOffered = 1;
  #current: { qr: string; expiresAtMs: number } | null = null;

  constructor(options: PairingOptions) {
    this.#options = options;
    const { sock, onPasskeyRequested } = options;
    sock.ws.on('CB:iq,type:set,pair-device', (node: BinaryNode) => {
      this.#refsOffered = getBinaryNodeChildren(getBinaryNodeChild(node, 'pair-device'), 'ref').length;
    });
    sock.ws.on('CB:notification,type:companion_reg_refresh', (node: BinaryNode) => {
      void this.#acknowledge(node);
      this.#renewSecret();
    });
    for (const type of ['passkey_prologue_request', 'crsc_continuation']) {
      sock.ws.on(`CB:notification,type:${type}`, onPasskeyRequested);
    }
  }

  /** The client made a new QR code. It may still carry a secret that was retired since. */
  show(qrOfClient: string): void {
    const lifetimeMs = this.#options.qrTimeoutMs ?? (this.#qrsShown === 0 ? firstQrMs : laterQrMs);
    this.#qrsShown += 1;
    this.#current = { qr: this.#withCurrentSecret(qrOfClient), expiresAtMs: Date.now() + lifetimeMs };
    this.#options.onQr(this.#current.qr, this.#current.expiresAtMs);
  }

  /**
   * Requests a code to type on the phone and waits until the network confirms it: an unconfirmed code is not valid. If the
   * pairing fails, its credentials must be deleted, since they already name the account.
   */
  async requestCode(phoneNumber: string): Promise<{ code: string; expiresAtMs: number }> {
    const { sock, keys, qrTimeoutMs } = this.#options;
    const { creds } = keys.auth;
    const code = bytesToCrockford(randomBytes(5));
    creds.pairingCode = code;
    creds.me = { id: jidEncode(phoneNumber, 's.whatsapp.net'), name: '~' };
    const salt = randomBytes(32);
    const iv = randomBytes(16);
    const wrapped = aesEncryptCTR(
      creds.pairingEphemeralKeyPair.public,
      await derivePairingCodeKey(code, salt),
      iv,
    );
    const child = (tag: string, content: string | Uint8Array): BinaryNode => ({ tag, attrs: {}, content });
    const [os, browser] = browserIdentity;
    const answer: BinaryNode | undefined = await sock.query({
      tag: 'iq',
      attrs: { to: S_WHATSAPP_NET, type: 'set', id: sock.generateMessageTag(), xmlns: 'md' },
      content: [
        {
          tag: 'link_code_companion_reg',
          attrs: { jid: creds.me.id, stage: 'companion_hello', should_show_push_notification: 'true' },
          content: [
            child('link_code_pairing_wrapped_companion_ephemeral_pub', Buffer.concat([salt, iv, wrapped])),
            child('companion_server_auth_key_pub', creds.noiseKey.public),
            child('companion_platform_id', chromeClientId),
            child('companion_platform_display', `${browser} (${os})`),
            child('link_code_pairing_nonce', '0'),
          ],
        },
      ],
    });
    if (!answer) throw new Error('The network did not answer the request for a pairing code.');
    const laterMs = (this.#refsOffered - 1) * (qrTimeoutMs ?? laterQrMs);
    return { code, expiresAtMs: Date.now() + (qrTimeoutMs ?? firstQrMs) + laterMs };
  }

  /**
   * The network retires the secret of a pairing in progress, so the code on the screen is no longer valid. The same code with
   * a new secret replaces it, for the time that was left.
   */
  #renewSecret(): void {
    const { creds } = this.#options.keys.auth;
    // With a code the secret is agreed upon with the phone, and a linked device needs none.
    if (creds.me || !this.#current) return;
    creds.advSecretKey = randomBytes(advSecretBytes).toString('base64');
    this.#current = { ...this.#current, qr: this.#withCurrentSecret(this.#current.qr) };
    this.#options.onQr(this.#current.qr, this.#current.expiresAtMs);
  }

  /** The client acknowledges only under the name of an account, which a device that shows a QR code has not yet. */
  async #acknowledge({ tag, attrs: { id, from, type } }: BinaryNode): Promise<void> {
    const { sock, keys } = this.#options;
    if (keys.auth.creds.me || !id || !from) return;
    const attrs = { id, to: from, class: tag, ...(type && { type }) };
    // A connection that is gone by now says so itself.
    await sock.sendNode({ tag: 'ack', attrs }).catch(() => {});
  }

  #withCurrentSecret(qr: string): string {
    const fields = qr.split(',');
    fields[advSecretField] = this.#options.keys.auth.creds.advSecretKey;
    return fields.join(',');
  }
}
