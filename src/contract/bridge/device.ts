import { z } from 'zod';

/** The states of a paired number, as `GET /v1/numbers` shows them. */
const deviceStates = ['unpaired', 'pairing', 'connected', 'disconnected', 'logged_out', 'banned'] as const;
export const deviceStateSchema = z.enum(deviceStates);
export type DeviceState = z.infer<typeof deviceStateSchema>;

/** Why a number is not connected: a closed list, each with a sentence for a person. */
export const disconnectReasons = {
  connection_closed: 'The network closed the connection.',
  connection_lost: 'The connection to the network was lost.',
  connection_replaced: 'Another client took over the session.',
  network_unavailable: 'The network is not available.',
  network_refused: 'The network refused the connection.',
  temporarily_banned: 'The network banned the number for a while.',
  client_outdated: 'The network no longer accepts this client version.',
  credentials_rejected: 'The network could not use the stored session.',
  multidevice_mismatch: 'The phone does not support linked devices.',
  proxy_changed: 'It reconnects through another proxy, or without one.',
  session_deaf: 'The session was open and received nothing any more.',
  bridge_lost: 'The session bridge that held the number is gone.',
  requested: 'It was disconnected on request.',
} as const;
export type DisconnectReason = keyof typeof disconnectReasons;
export const disconnectReasonSchema = z.enum(
  Object.keys(disconnectReasons) as [DisconnectReason, ...DisconnectReason[]],
);

/** Why a number needs a new pairing. */
export const logoutReasons = {
  logged_out_by_phone: 'The device was removed from the linked devices on the phone.',
  logged_out_on_request: 'The number was logged out on request.',
  banned: 'The network banned the number.',
} as const;
export type LogoutReason = keyof typeof logoutReasons;
export const logoutReasonSchema = z.enum(Object.keys(logoutReasons) as [LogoutReason, ...LogoutReason[]]);

/** What a number says of itself when its phone has been linked to another account of the deployment too. */
export const linkedElsewhere = 'The phone was linked to another account as well, which reads along.';

/** Why a pairing ended without a linked device. */
export const pairingFailures = {
  expired: 'Nobody scanned the QR code or typed the code in time.',
  refused: 'The network refused the pairing.',
  already_paired:
    'NUMBER_ALREADY_PAIRED: the phone is linked to another number of this account. Log that one out first.',
  passkey_required: 'The phone asks for a passkey, which a linked device cannot give.',
} as const;
export type PairingFailure = keyof typeof pairingFailures;
export const pairingFailureSchema = z.enum(
  Object.keys(pairingFailures) as [PairingFailure, ...PairingFailure[]],
);
