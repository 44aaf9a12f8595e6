import { z } from 'zod';
import { disconnectReasons, logoutReasons, pairingFailures } from '../numbers/reasons.ts';

/** The states of a paired number, as `GET /v1/numbers` shows them. */
const deviceStates = ['unpaired', 'pairing', 'connected', 'disconnected', 'logged_out', 'banned'] as const;
export const deviceStateSchema = z.enum(deviceStates);
export type DeviceState = z.infer<typeof deviceStateSchema>;

export type DisconnectReason = keyof typeof disconnectReasons;
export const disconnectReasonSchema = z.enum(
  Object.keys(disconnectReasons) as [DisconnectReason, ...DisconnectReason[]],
);

export type LogoutReason = keyof typeof logoutReasons;
export const logoutReasonSchema = z.enum(Object.keys(logoutReasons) as [LogoutReason, ...LogoutReason[]]);

export type PairingFailure = keyof typeof pairingFailures;
export const pairingFailureSchema = z.enum(
  Object.keys(pairingFailures) as [PairingFailure, ...PairingFailure[]],
);
