import type { NewChatMessageCapInfo, ReachoutTimelockState } from '@whiskeysockets/baileys';
import type { NewChatRestriction } from '../connection/connection.ts';

/** What the network's two answers together mean for new chats: a time-lock, or a cap that is used up. */
export function readRestriction(
  timelock: ReachoutTimelockState,
  cap: NewChatMessageCapInfo,
): NewChatRestriction {
  if (timelock.isActive)
    return { isActive: true, until: timelock.timeEnforcementEnds?.toISOString() ?? null };
  const { total_quota: total = 0, used_quota: used = 0, cycle_end_timestamp: end } = cap;
  // A quota that is not positive means that there is none.
  if (total <= 0 || used < total) return { isActive: false, until: null };
  const endMs = Number(end) * 1000;
  return { isActive: true, until: endMs > 0 ? new Date(endMs).toISOString() : null };
}
