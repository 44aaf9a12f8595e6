/** The ladder of an outbound message, lowest first. `failed` stands beside it: see {@link mayFollow}. */
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** One rung per status; a status missing here does not compile. `failed` is terminal and comes only before `delivered`. */
const statusRank = {
  queued: 0,
  sent: 1,
  delivered: 2,
  failed: 3,
  read: 3,
} as const satisfies Record<MessageStatus, number>;

/** Whether a message in `from` may move to `to`: forward only, and into `failed` only before it was delivered. */
export function mayFollow(from: MessageStatus, to: MessageStatus): boolean {
  if (from === 'failed') return false;
  if (to === 'failed') return statusRank[from] < statusRank.delivered;
  return statusRank[to] > statusRank[from];
}
