import { hkdfSync, randomBytes } from 'node:crypto';
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
} from '@whiskeysockets/baileys';
import type { Answer } from '../iq/query.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { parseAddress } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import {
  bytesOf,
  childNamed,
  networkAddress,
  notification,
  requiredBytes,
  type Stanza,
  stanza,
} from '../wire/stanza.ts';
import { linkDevice } from './link-device.ts';

const answerTimeoutMs = 10_000;
// The real network refuses a client that does not present itself as a known browser on a known system.
const knownDisplay =
  /^(Chrome|Edge|Firefox|IE|Opera|Safari) \((Windows|Mac OS|macOS|Linux|Ubuntu|Debian|Android|iOS|Chrome OS)\)$/;

/** The client asks for a code for a number. Answers the content of the result, or an error code. */
export function companionHello(network: Network, connection: ClientConnection, request: Stanza): Answer {
  const phone = parseAddress(request.attrs.jid)?.user;
  const display = bytesOf(childNamed(request, 'companion_platform_display')).toString();
  if (!phone || !knownDisplay.test(display)) return { error: { code: '400', text: 'bad-request' } };
  const ref = Buffer.from(randomBytes(16).toString('hex'));
  network.pairings.putCode(phone, {
    connection,
    ref,
    wrappedCompanionKey: requiredBytes(request, 'link_code_pairing_wrapped_companion_ephemeral_pub'),
    phoneHalf: undefined,
  });
  return {
    content: [
      stanza('link_code_companion_reg', { stage: 'companion_hello' }, [
        stanza('link_code_pairing_ref', {}, ref),
      ]),
    ],
  };
}

/**
 * The code is typed on the phone. Resolves when the client has proved that it knows the same code. Refusals: 404
 * nobody waits for a code with this number, 409 the code is wrong, 504 the client does not answer.
 */
export async function enterCode(network: Network, phone: string, code: string): Promise<void> {
  const exchange = network.pairings.codeFor(phone);
  if (!exchange) throw new Refusal(404, 'No client waits for a code with this number.');
  const wrapped = exchange.wrappedCompanionKey;
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32));
  const companionKey = aesDecryptCTR(wrapped.subarray(48, 80), key, wrapped.subarray(32, 48));
  const ephemeral = Curve.generateKeyPair();
  const salt = randomBytes(32);
  const iv = randomBytes(16);
  const sealed = aesEncryptCTR(ephemeral.public, await derivePairingCodeKey(code, salt), iv);
  const { identityKeyPair } = network.endpoints.of(network.users.ensure(phone));
  await new Promise<void>((resolve, reject) => {
    const silence = new Refusal(504, 'The client did not answer the code.');
    const timer = setTimeout(() => reject(silence), answerTimeoutMs);
    const settle = (refusal?: Refusal): void => {
      clearTimeout(timer);
      if (refusal) reject(refusal);
      else resolve();
    };
    exchange.phoneHalf = { ephemeral, companionKey, settle };
    exchange.connection.send(
      notification(networkAddress, 'link_code_companion_reg', [
        stanza('link_code_companion_reg', { stage: 'primary_hello' }, [
          stanza(
            'link_code_pairing_wrapped_primary_ephemeral_pub',
            {},
            Buffer.concat([salt, iv, Buffer.from(sealed)]),
          ),
          stanza('primary_identity_pub', {}, identityKeyPair.public),
          stanza('link_code_pairing_ref', {}, exchange.ref),
        ]),
      ]),
    );
  });
}

/** The client's last step: its identity key, sealed under what both sides derive from the code. */
export function companionFinish(network: Network, connection: ClientConnection, request: Stanza): void {
  const phone = parseAddress(request.attrs.jid)?.user ?? '';
  const exchange = network.pairings.codeFor(phone);
  const half = exchange?.phoneHalf;
  if (!exchange || !half || exchange.connection !== connection) return;
  const user = network.users.ensure(phone);
  const identityKey = requiredBytes(request, 'companion_identity_public');
  const bundle = requiredBytes(request, 'link_code_pairing_wrapped_key_bundle');
  const shared = Curve.sharedKey(half.ephemeral.private, half.companionKey);
  const bundleKey = hkdf(shared, bundle.subarray(0, 32), 'link_code_pairing_key_bundle_encryption_key');
  let opened: Buffer;
  try {
    opened = aesDecryptGCM(bundle.subarray(44), bundleKey, bundle.subarray(32, 44), Buffer.alloc(0));
  } catch {
    half.settle(new Refusal(409, 'The code is wrong.'));
    return;
  }
  const { identityKeyPair } = network.endpoints.of(user);
  const agreed = Curve.sharedKey(identityKeyPair.private, identityKey);
  const secret = hkdf(
    Buffer.concat([shared, agreed, opened.subarray(64, 96)]),
    Buffer.alloc(0),
    'adv_secret',
  );
  try {
    linkDevice(network, connection, user, { identityKey, secret });
    half.settle();
  } catch (error) {
    half.settle(error instanceof Refusal ? error : new Refusal(409, String(error)));
  }
}

function hkdf(input: Uint8Array, salt: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, 32));
}
