import type { Progress, Sweep } from '../progress.ts';
import type { Recipient, RecipientRows } from '../recipient-rows.ts';
import type { CampaignStore } from '../store.ts';

/** Recipients that one transaction looks at. */
const sliceMax = 250;

/** Failures after which nothing is sent again: whether it arrived is not known, or nobody wants another one. */
export const finalFailures: readonly string[] = ['unknown_outcome', 'recipient_opted_out'];

/** Whether another message may be made for somebody whose message failed. Whom an erased one's was for, nobody knows. */
const mayRetry = ({ id, state, reason }: Pick<Recipient, 'id' | 'state' | 'reason'>): boolean =>
  id >= 0 && state === 'failed' && !finalFailures.includes(reason ?? '');

/**
 * Does the next pending bulk change, for a slice of the recipients; false: there is none. `cancelled` is called in the
 * transaction that cancels the last of those who waited.
 */
export function sweepSlice(
  store: CampaignStore,
  rows: RecipientRows,
  cancelled: (progress: Progress) => void,
): boolean {
  if (store.known.progress.sweeps[0] === undefined) return false;
  store.change((progress) => {
    const [sweep] = progress.sweeps;
    if (sweep === undefined) return;
    const goesOn = runSlice(sweep, progress, rows);
    if (goesOn !== null) {
      progress.sweeps[0] = goesOn;
      return;
    }
    progress.sweeps.shift();
    if (sweep.kind === 'cancel') cancelled(progress);
  });
  return true;
}

/** The sweep as it goes on; null: it is done. */
function runSlice(sweep: Sweep, progress: Progress, rows: RecipientRows): Sweep | null {
  const { recipients, nextAfter } = rows.walk(sweep.after ?? null, sliceMax);
  for (const one of recipients) {
    const changes = changesBy(sweep, one, progress);
    if (changes !== null) rows.change(progress.tally, one, changes);
  }
  return nextAfter === null ? null : { ...sweep, after: nextAfter };
}

/** What becomes of one of them; null: nothing. */
function changesBy({ kind }: Sweep, one: Recipient, progress: Progress): Partial<Recipient> | null {
  const waits = one.state === 'pending' || one.state === 'held';
  // Those of a batch belong to it until the account has answered.
  const isAsked = progress.batch?.ids.includes(one.id) ?? false;
  switch (kind) {
    case 'release':
      return one.state === 'held' ? { state: 'pending', variant: progress.winner } : null;
    case 'cancel':
      return waits && !isAsked ? { state: 'cancelled', reason: null } : null;
    case 'quota_ended':
      return waits && !isAsked ? { state: 'skipped', reason: 'quota' } : null;
    case 'retry': {
      if (!mayRetry(one)) return null;
      const cleared = { reason: null, errorMessage: null, messageId: null, numberId: null, failedAt: null };
      return { ...cleared, sentAt: null, state: 'pending', attempt: one.attempt + 1 };
    }
  }
}
