import type { Progress, Sweep } from '../progress.ts';
import type { Recipient, RecipientRows } from '../recipients/recipient-rows.ts';
import type { RecipientState } from '../recipients/recipient-steps.ts';
import { count } from '../recipients/tally.ts';
import type { CampaignStore } from '../store.ts';

/** Recipients of one transaction. */
const sliceMax = 500;

/** Failures after which nothing is sent again: whether it arrived is not known, or nobody wants another one. */
export const finalFailures: readonly string[] = ['unknown_outcome', 'recipient_opted_out'];

/** Whether another message may be made for somebody whose message failed. */
const mayRetry = ({ state, reason }: Pick<Recipient, 'state' | 'reason'>): boolean =>
  state === 'failed' && !finalFailures.includes(reason ?? '');

/**
 * Does the first thing that is to be done to many recipients, for a slice of them; false: there is nothing to do.
 * `cancelled` is called in the transaction in which the last of those who waited is cancelled.
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
  const set = (recipient: Recipient, changes: Partial<Recipient> & { state: RecipientState }) => {
    const changed = { ...recipient, ...changes };
    rows.save(changed);
    count(progress.tally, recipient.state, changed.state, changed.variant);
  };
  const first = (state: RecipientState) => rows.inState(state, Number.MIN_SAFE_INTEGER, sliceMax);
  switch (sweep.kind) {
    case 'release': {
      const slice = first('held');
      for (const one of slice) set(one, { state: 'pending', variant: progress.winner });
      return slice.length < sliceMax ? null : sweep;
    }
    case 'cancel':
    case 'quota_ended': {
      // Those of a batch belong to it until the account has answered.
      const asked = new Set(progress.batch?.ids);
      const slice = [...first('pending'), ...first('held')].filter(({ id }) => !asked.has(id));
      const changes: Pick<Recipient, 'state' | 'reason'> =
        sweep.kind === 'cancel'
          ? { state: 'cancelled', reason: null }
          : { state: 'skipped', reason: 'quota' };
      for (const one of slice) set(one, changes);
      return slice.length === 0 ? null : sweep;
    }
    case 'retry': {
      const slice = rows.inState('failed', sweep.after, sliceMax);
      for (const one of slice.filter(mayRetry)) {
        const cleared = { reason: null, errorMessage: null, messageId: null, numberId: null, failedAt: null };
        set(one, { ...cleared, sentAt: null, state: 'pending', attempt: one.attempt + 1 });
      }
      const last = slice.at(-1);
      return last === undefined || slice.length < sliceMax ? null : { ...sweep, after: last.id };
    }
  }
}
