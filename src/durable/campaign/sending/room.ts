import { type Refusal, refuse } from '../../../contract/errors.ts';

/** A number as a campaign sees it; from the account. */
export interface CampaignNumber {
  numberId: string;
  inPool: boolean;
  /** Why it can send nothing for a campaign now; null: it can. */
  hindrance: string | null;
  perMinute: number;
  /** What waits for it in the account. */
  waiting: number;
  /** What it may still be given today; null without a limit. */
  leftToday: number | null;
}

/** For how many seconds of its pace a number gets work. A pause takes effect within that time. */
const aheadSeconds = 2;
/** However fast a number claims to be: what it has is gone within that time on a busy machine too. */
const aheadMax = 6;
/** More than that in one go would be a long transaction. */
const batchMax = 64;

type NoRoom = 'numbers' | 'daily_limit' | 'busy';

/**
 * How many messages the numbers have room for, in addition to those of the campaign that are in progress. Messages of others
 * go first, so a number with a backlog gets nothing.
 */
export function roomOf(
  numbers: readonly CampaignNumber[],
  underWay: ReadonlyMap<string, number>,
): { room: number; why: NoRoom | null } {
  const usable = numbers.filter(({ hindrance, perMinute }) => hindrance === null && perMinute > 0);
  if (usable.length === 0) return { room: 0, why: 'numbers' };
  const withDay = usable.filter(({ leftToday }) => leftToday === null || leftToday > 0);
  if (withDay.length === 0) return { room: 0, why: 'daily_limit' };
  const room = withDay.reduce((sum, number) => sum + roomWith(number, underWay), 0);
  return room === 0 ? { room: 0, why: 'busy' } : { room: Math.min(room, batchMax), why: null };
}

function roomWith(
  { numberId, perMinute, waiting, leftToday }: CampaignNumber,
  underWay: ReadonlyMap<string, number>,
): number {
  const own = underWay.get(numberId) ?? 0;
  const others = Math.max(0, waiting - own);
  const target = Math.min(aheadMax, Math.max(1, Math.ceil((perMinute / 60) * aheadSeconds)));
  return Math.max(0, Math.min(target - own - others, leftToday ?? Number.POSITIVE_INFINITY));
}

/** Why a campaign over these numbers (null: the pool) cannot go on, where none of them is there any more. */
export function numbersGone(numberIds: readonly string[] | null): Refusal {
  const message =
    numberIds === null ? 'There is no number in the pool.' : 'All numbers of this campaign were deleted.';
  return refuse('CONFLICT', message, { details: [{ path: 'numberIds', message }] });
}
