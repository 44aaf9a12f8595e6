/** How much less a place counts than the one before it: the value that the method was published with. */
const flatness = 60;

/**
 * One order out of several (reciprocal rank fusion): what stands high in one of them, or well in all, comes first. Their own
 * scores are not compared, since they mean nothing to each other.
 */
export function fused(orders: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const order of orders) {
    for (const [place, id] of order.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (flatness + place + 1));
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
}
