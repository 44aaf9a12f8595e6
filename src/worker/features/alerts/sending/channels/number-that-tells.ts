import type { SenderReport } from '../../../../../durable/hand-over/number-news.ts';

/**
 * Which number tells of the trouble: the wanted one while it can, else another that can; null: there is none.
 *
 * @param wanted null: any
 */
export function numberThatTells(
  senders: Readonly<Record<string, Pick<SenderReport, 'state' | 'health'>>>,
  troubled: ReadonlySet<string>,
  wanted: string | null,
): string | null {
  const able = Object.entries(senders)
    .filter(([numberId, { state }]) => state === 'connected' && !troubled.has(numberId))
    .sort(([, a], [, b]) => Number(b.health.status === 'healthy') - Number(a.health.status === 'healthy'))
    .map(([numberId]) => numberId);
  return able.find((numberId) => numberId === wanted) ?? able[0] ?? null;
}
