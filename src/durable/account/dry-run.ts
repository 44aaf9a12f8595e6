import type { Refusal } from '../../contract/errors.ts';
import type { HeldReason } from '../../contract/sender-settings.ts';
import type { DryRun } from './admission-types.ts';
import type { Judgement } from './choosing.ts';
import { fitnessOf } from './sender-choice.ts';

/** What a dry run tells, from what was found without counting or sending. */
export function dryRunOf(
  { refusals, choice, candidates }: Judgement,
  onNetwork: boolean | null,
  exceeded: Refusal | null,
  forecast: { expectedAt: number; heldReason: HeldReason | null } | null,
  now: number,
): DryRun {
  const against = exceeded === null ? refusals : [exceeded, ...refusals];
  const sender = candidates.find(({ numberId }) => numberId === choice?.numberId);
  return {
    accepted: against.length === 0,
    sender:
      choice && sender
        ? { numberId: sender.numberId, phoneNumber: sender.phoneNumber, source: choice.source }
        : null,
    // Nobody knows when a number comes back.
    expectedAt: forecast === null || forecast.heldReason === 'not_connected' ? null : forecast.expectedAt,
    heldReason: forecast?.heldReason ?? null,
    onNetwork,
    reasons: against.map(({ code, message, details }) => ({ code, message, ...(details && { details }) })),
    senders: candidates.map((candidate) => ({
      numberId: candidate.numberId,
      inPool: candidate.inPool,
      ...fitnessOf(candidate, now),
    })),
  };
}
