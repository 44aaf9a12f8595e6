import type { RecipientStatus } from '../../../contract/campaigns/campaign.ts';

/** As they stand in the table; `held`: pending until it is known which text is better. */
export const stateCodes = {
  pending: 0,
  held: 1,
  queued: 2,
  sent: 3,
  delivered: 4,
  read: 5,
  failed: 6,
  skipped: 7,
  cancelled: 8,
} as const;
export type RecipientState = keyof typeof stateCodes;

const byCode = Object.fromEntries(
  Object.entries(stateCodes).map(([state, code]) => [code, state as RecipientState]),
);
export const stateOf = (code: number): RecipientState => byCode[code] ?? 'pending';
export const shownState = (state: RecipientState): RecipientStatus => (state === 'held' ? 'pending' : state);

/** Where each state leads; nothing leads back but a message that certainly never left, and a retry that somebody asked for. */
const leadsTo: Record<RecipientState, readonly RecipientState[]> = {
  pending: ['queued', 'failed', 'skipped', 'cancelled'],
  held: ['pending', 'skipped', 'cancelled'],
  queued: ['pending', 'sent', 'delivered', 'read', 'failed', 'cancelled'],
  sent: ['delivered', 'read', 'failed'],
  delivered: ['read'],
  read: [],
  failed: ['pending', 'cancelled'],
  skipped: [],
  cancelled: [],
};

export const mayStep = (from: RecipientState, to: RecipientState): boolean => leadsTo[from].includes(to);

/** Whether the message of the current attempt was not made: it is still to be, or never will be. */
export const isUnmade = (state: RecipientState): boolean =>
  state === 'pending' || state === 'held' || state === 'skipped' || state === 'cancelled';

/** Whether a message has left for somebody in this state. */
export const hasLeft = (state: RecipientState): boolean =>
  state === 'sent' || state === 'delivered' || state === 'read';
