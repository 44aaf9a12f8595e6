import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { Curve, proto } from '@whiskeysockets/baileys';
import { isSigned } from '../../session-bridge/network/client/fast-signatures.ts';
import { addDevice, type DeviceKeys } from '../accounts/devices.ts';
import { tellOfDevice } from '../accounts/tell-of-device.ts';
import type { User } from '../accounts/user.ts';
import type { Users } from '../accounts/users.ts';
import { shortPhone } from '../log.ts';
import { afterDelay, type Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { addressOf } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import {
  childNamed,
  networkAddress,
  newStanzaId,
  notification,
  nowSeconds,
  requiredBytes,
  type Stanza,
  stanza,
} from '../wire/stanza.ts';

// What a signature is for stands before what is signed: the account vouches for the device, the device for itself.
const accountSignaturePrefix = Buffer.from([6, 0]);
const deviceSignaturePrefix = Buffer.from([6, 1]);

/**
 * The phone vouches for the device's identity key, and the client is told so; the device is linked once it has signed
 * in turn (`completeLink`). Throws a refusal when the number may not link.
 */
export function linkDevice(
  network: Network,
  connection: ClientConnection,
  user: User,
  offered: { identityKey: Buffer; secret: Buffer },
): void {
  if (user.banned) throw new Refusal(409, 'The number is banned: it cannot link devices.');
  if (!user.script.registered)
    throw new Refusal(409, 'The number is not registered: it cannot link devices.');
  const registration = connection.registration?.payload;
  if (!registration) throw new Refusal(409, 'The client does not wait to be linked.');
  const number = network.users.nextDeviceNumber(user);
  const { identityKeyPair } = network.endpoints.of(user);
  const details = proto.ADVDeviceIdentity.encode({
    rawId: randomBytes(4).readUInt32BE(0),
    timestamp: Number(nowSeconds()),
    keyIndex: number,
    accountType: 0,
    deviceType: 0,
  }).finish();
  const vouched = Buffer.concat([accountSignaturePrefix, details, offered.identityKey]);
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: identityKeyPair.public,
    accountSignature: Curve.sign(identityKeyPair.private, vouched),
  }).finish();
  const sealed = proto.ADVSignedDeviceIdentityHMAC.encode({
    details: signed,
    hmac: createHmac('sha256', offered.secret).update(signed).digest(),
  }).finish();
  const keys: DeviceKeys = {
    noiseKey: connection.clientKey,
    identityKey: offered.identityKey,
    registration: registration.eRegid ?? Buffer.alloc(0),
    signedPrekeyId: registration.eSkeyId ?? Buffer.alloc(0),
    signedPrekey: registration.eSkeyVal ?? Buffer.alloc(0),
    signedPrekeySignature: registration.eSkeySig ?? Buffer.alloc(0),
  };
  network.pairings.awaitSignature(connection, { user, number, keys });
  connection.send(
    stanza('iq', { from: networkAddress, type: 'set', id: newStanzaId(), xmlns: 'md', t: nowSeconds() }, [
      stanza('pair-success', {}, [
        stanza('device-identity', {}, sealed),
        stanza('platform', { name: 'android' }),
        stanza('device', { jid: addressOf(user, 'pn', number), lid: addressOf(user, 'lid', number) }),
      ]),
    ]),
  );
}

/** Takes the client's own signature; the device is linked, and the client must log in anew. Throws on a bad signature. */
export function completeLink(network: Network, connection: ClientConnection, answer: Stanza): void {
  const unsigned = network.pairings.takeUnsigned(connection);
  if (!unsigned) return;
  const { user, number, keys } = unsigned;
  const signature = proto.ADVSignedDeviceIdentity.decode(
    requiredBytes(childNamed(answer, 'pair-device-sign'), 'device-identity'),
  );
  const signed = Buffer.concat([
    deviceSignaturePrefix,
    signature.details ?? Buffer.alloc(0),
    keys.identityKey,
    network.endpoints.of(user).identityKeyPair.public,
  ]);
  if (!isSigned(keys.identityKey, signed, signature.deviceSignature ?? Buffer.alloc(0))) {
    throw new Error('the device signature does not fit');
  }
  const device = addDevice(network.store, user, number, keys, connection.registration?.platform ?? '');
  tellOfDevice(network, device, 'add');
  network.groups.joinAutomatically(user);
  network.log.info({ phone: shortPhone(user.phone), device: device.number }, 'device.linked');
  connection.end(stanza('stream:error', { code: '515' }));
}

const acknowledgedWithinMs = 1_000;

type QrCode = { ref: string; noiseKey: string; identityKey: string; secret: string };

/**
 * A phone scans a QR code. Without a phone number the phone is a new one; a client that names itself (`pushName`) gets
 * the same number each time. Refusals: 400 no QR code, 404 its connection is gone, 409 it cannot link.
 */
export function scanQr(network: Network, text: string, phone: string | undefined): User {
  const { connection, qr } = connectionShowing(network, text);
  if (Buffer.compare(Buffer.from(qr.noiseKey, 'base64'), connection.clientKey) !== 0) {
    throw new Refusal(409, 'The QR code bears the key of another client than the one that waits.');
  }
  if (network.pairings.isRetired(connection, qr.secret)) {
    throw new Refusal(409, 'The QR code bears a secret that the network has retired; scan the new one.');
  }
  const pushName = connection.registration?.pushName;
  const user = network.users.ensure(phone ?? (pushName ? phoneOf(pushName) : newPhone(network.users)));
  if (pushName) network.users.rename(user, pushName);
  linkDevice(network, connection, user, {
    identityKey: Buffer.from(qr.identityKey, 'base64'),
    secret: Buffer.from(qr.secret, 'base64'),
  });
  return user;
}

/**
 * The network retires what the client advertises: the QR code given here links nothing any more, and the client is
 * told to show its current ref with a new secret. Answers whether the client acknowledged that within a second. Refusals
 * as of `scanQr`.
 */
export async function refreshRegistration(network: Network, text: string): Promise<boolean> {
  const { connection, qr } = connectionShowing(network, text);
  network.pairings.retireSecret(connection, qr.secret);
  const id = newStanzaId();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  network.pairings.awaitAcknowledgement(connection, id, () => resolve(true));
  afterDelay(network, acknowledgedWithinMs, () => resolve(false));
  connection.send(
    notification(networkAddress, 'companion_reg_refresh', [stanza('companion_reg_refresh')], { id }),
  );
  const acknowledged = await promise;
  network.log.info({ acknowledged }, 'pairing.registration-refreshed');
  return acknowledged;
}

function connectionShowing(network: Network, text: string): { connection: ClientConnection; qr: QrCode } {
  // The code is a URL whose fragment bears the parts: ref, noise key, identity key, secret, platform.
  const [ref, noiseKey, identityKey, secret] = (text.trim().split('#').pop() ?? '').split(',');
  if (!ref || !noiseKey || !identityKey || !secret) {
    throw new Refusal(400, 'The body must be the text of a QR code.');
  }
  const connection = network.pairings.byRef(ref);
  if (!connection) throw new Refusal(404, 'No client shows this QR code: it is unknown or has expired.');
  return { connection, qr: { ref, noiseKey, identityKey, secret } };
}

function phoneOf(pushName: string): string {
  const digest = createHash('sha256').update(pushName).digest();
  return `1${String(digest.readUIntBE(0, 5)).padStart(12, '0').slice(0, 12)}`;
}

function newPhone(users: Users): string {
  for (;;) {
    const phone = `62812${String(randomInt(100_000_000)).padStart(8, '0')}`;
    if (!users.byPhone(phone)) return phone;
  }
}
