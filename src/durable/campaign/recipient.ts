import { hash } from 'node:crypto';
import type { CampaignCounts, RecipientStatus, WinnerRule } from '../../contract/campaigns/campaign.ts';
import { aliasAddress, aliasIn } from '../../contract/messages/recipient.ts';

/** Phone numbers have 15 digits at most, so the ids of recipients who are known only by an alias come after them. */
export const aliasesFrom = 1_000_000_000_000_000;

/** The id of a recipient in a campaign; null: there is none, since the alias has more digits than any has had so far. */
export function recipientIdOf(address: string): number | null {
  const lid = aliasIn(address);
  const id = lid === null ? Number(address) : aliasesFrom + Number(lid);
  return Number.isSafeInteger(id) ? id : null;
}

/**
 * The address for a message to a recipient: a phone number, or an alias as `<digits>@lid`. It is unknown for an erased person.
 */
export const addressOfId = (id: number): string =>
  id < aliasesFrom ? String(id) : aliasAddress(String(id - aliasesFrom));

/** The states in the table; `held`: pending until it is known which text is better. */
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

/** How many recipients are in each state, and what they did then. */
export interface Tally {
  states: Record<RecipientState, number>;
  replied: number;
  optedOut: number;
  /** By text: how many have left, and how many of those answered. */
  variants: { sent: number; replied: number }[];
}

export const emptyTally = (variants: number): Tally => ({
  states: {
    pending: 0,
    held: 0,
    queued: 0,
    sent: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
  },
  replied: 0,
  optedOut: 0,
  variants: Array.from({ length: variants }, () => ({ sent: 0, replied: 0 })),
});

/** Somebody is in a state now; `from`: null for one who is new. Changes the tally. */
export function count(
  tally: Tally,
  from: RecipientState | null,
  to: RecipientState,
  variant: number | null,
): void {
  if (from !== null) tally.states[from] -= 1;
  tally.states[to] += 1;
  const ofVariant = variant === null ? undefined : tally.variants[variant];
  if (ofVariant === undefined) return;
  const had = from !== null && hasLeft(from);
  if (!had && hasLeft(to)) ofVariant.sent += 1;
  if (had && !hasLeft(to)) ofVariant.sent -= 1;
}

export function countsOf({ states, replied, optedOut }: Tally): CampaignCounts {
  const { pending, held, queued, sent, delivered, read, failed, skipped, cancelled } = states;
  return {
    recipients: Object.values(states).reduce((sum, one) => sum + one, 0),
    pending: pending + held,
    queued,
    sent: sent + delivered + read,
    delivered: delivered + read,
    read,
    failed,
    replied,
    optedOut,
    skipped,
    cancelled,
  };
}

/** The same recipient always gets the same text, by a hash of the campaign and the recipient. */
export function variantOf(
  campaignId: string,
  address: string,
  variants: number,
  winner: WinnerRule | null,
): number | null {
  if (variants < 2) return 0;
  const digest = hash('sha256', `${campaignId}\n${address}`, 'buffer');
  const isTested = winner === null || digest.readUInt32BE(0) % 100 < winner.testPercent;
  return isTested ? digest.readUInt32BE(4) % variants : null;
}

/** The text with the greatest share of answers; the first of equals. */
export function winnerOf({ variants }: Tally): number {
  const share = ({ sent, replied }: { sent: number; replied: number }) => (sent === 0 ? 0 : replied / sent);
  return variants.reduce((best, one, index) => {
    const leader = variants[best];
    return leader !== undefined && share(one) > share(leader) ? index : best;
  }, 0);
}
