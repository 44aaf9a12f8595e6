import type { PhoneNumber } from '../../../../sdk/index.ts';
import type { Tone } from '../../../parts/feedback.tsx';

export const stateTone: Record<PhoneNumber['state'], Tone> = {
  unpaired: 'grey',
  pairing: 'blue',
  connected: 'green',
  disconnected: 'amber',
  logged_out: 'red',
  banned: 'red',
};

export const healthTone: Record<PhoneNumber['health'], Tone> = {
  healthy: 'green',
  resting: 'amber',
  restricted: 'amber',
  unavailable: 'grey',
};

/** Whether a new pairing is what it needs. */
export const needsPairing = ({ state }: PhoneNumber): boolean =>
  state === 'unpaired' || state === 'pairing' || state === 'logged_out';
