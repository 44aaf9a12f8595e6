import { createHash, randomInt } from 'node:crypto';
import type { User } from '../accounts/user.ts';
import type { Users } from '../accounts/users.ts';
import { afterDelay, type Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { networkAddress, newStanzaId, nowSeconds, stanza } from '../wire/stanza.ts';
import { linkDevice } from './link-device.ts';

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
    stanza('notification', { from: networkAddress, type: 'companion_reg_refresh', id, t: nowSeconds() }, [
      stanza('companion_reg_refresh'),
    ]),
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
