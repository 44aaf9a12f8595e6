import { hash } from 'node:crypto';
import type { WinnerRule } from '../../../contract/campaigns/campaign.ts';
import type { Tally } from '../recipients/tally.ts';

/** Whoever it is, the same text each time: by a hash of the campaign and the recipient. */
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
