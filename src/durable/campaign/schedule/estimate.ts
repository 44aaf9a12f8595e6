import type { CampaignWindow } from '../../../contract/campaigns/campaign.ts';
import type { CampaignNumber } from '../sending/room.ts';
import { isOpen } from './open-hours.ts';

/** Steps of a quarter of an hour, half a year ahead at most. */
const stepMs = 15 * 60_000;
const stepsMax = (180 * 86_400_000) / stepMs;

export interface EstimateInput {
  /** How many live by which zones. */
  groups: readonly { zones: readonly string[]; recipients: number }[];
  numbers: readonly CampaignNumber[];
  /** What a number may be given on a day that begins anew, where it has a limit; null: as its day is now. */
  window: CampaignWindow | null;
  ratePerHour: number | null;
  quotaLeft: number | null;
  quotaResetAt: number;
}

/**
 * When the last message would leave if it began at `from`, with these numbers and their pacing; null: within half a year
 * it would not. An estimate: what others send meanwhile is not known, and a day's limit is taken to be what is left today.
 */
export function finishesAt(input: EstimateInput, from: number): number | null {
  const { numbers, window, ratePerHour, quotaResetAt } = input;
  const usable = numbers.filter(({ hindrance, perMinute }) => hindrance === null && perMinute > 0);
  const left = input.groups.map(({ zones, recipients }) => ({ zones, recipients }));
  let total = left.reduce((sum, { recipients }) => sum + recipients, 0);
  if (total === 0) return from;
  const rate = (ratePerHour ?? Number.POSITIVE_INFINITY) * (stepMs / 3_600_000);
  let quotaLeft = input.quotaLeft ?? Number.POSITIVE_INFINITY;
  let quotaAt = quotaResetAt;
  let day = Math.floor(from / 86_400_000);
  let today = usable.map(({ leftToday }) => leftToday ?? Number.POSITIVE_INFINITY);
  let carried = 0;
  for (let step = 0; step < stepsMax; step += 1) {
    const at = from + step * stepMs;
    if (Math.floor(at / 86_400_000) !== day) {
      day = Math.floor(at / 86_400_000);
      today = usable.map(({ leftToday }) => leftToday ?? Number.POSITIVE_INFINITY);
    }
    if (at >= quotaAt) {
      quotaLeft = Number.POSITIVE_INFINITY;
      quotaAt = Number.POSITIVE_INFINITY;
    }
    const byNumber = usable.map(({ perMinute }, index) => Math.min(perMinute * 15, today[index] ?? 0));
    const most = Math.min(
      rate + carried,
      quotaLeft,
      byNumber.reduce((sum, one) => sum + one, 0),
    );
    let room = Math.floor(most);
    carried = ratePerHour === null ? 0 : Math.min(1, most - room);
    const capacity = room;
    for (const group of left) {
      if (room === 0) break;
      if (group.recipients === 0 || (window !== null && !isOpen(window, group.zones, at))) continue;
      const sent = Math.min(room, group.recipients);
      group.recipients -= sent;
      room -= sent;
      total -= sent;
    }
    const sent = capacity - room;
    quotaLeft -= sent;
    takeFrom(today, byNumber, sent);
    if (total === 0) return Math.round(at + (capacity === 0 ? 0 : (sent / most) * stepMs));
  }
  return null;
}

/** Spreads what was sent over the numbers, as far as each could. */
function takeFrom(today: number[], byNumber: readonly number[], sent: number): void {
  const all = byNumber.reduce((sum, one) => sum + one, 0);
  if (all === 0) return;
  for (const [index, most] of byNumber.entries()) today[index] = (today[index] ?? 0) - sent * (most / all);
}
