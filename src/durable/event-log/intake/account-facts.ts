import type { AlertRows } from '../alerts/alert-rows.ts';
import { type EventDraft, newEvent } from '../events/event-draft.ts';
import type { FactOf } from '../facts.ts';
import type { LogState } from '../log-state.ts';

/** What the effects of these facts change. */
export interface AccountFactParts {
  sql: SqlStorage;
  state: LogState;
  alerts: AlertRows;
}

const minuteOf = (at: number) => Math.floor(at / 60_000);

/** Most of the quota is used: no event tells of it, but an alert. */
export function quotaWarning(fact: FactOf<'quota.warning'>, { alerts }: AccountFactParts): EventDraft[] {
  if (Date.parse(fact.resetAt) > fact.at) raiseQuota(fact, alerts);
  return [];
}

/** That the quota is used up is told at most once a minute. */
export function quotaExceeded(
  fact: FactOf<'quota.exceeded'>,
  { state, alerts }: AccountFactParts,
): EventDraft[] {
  const { at, used, limit, resetAt } = fact;
  const last = state.get<number>('quota.exceededAt');
  if (last !== null && minuteOf(at) <= minuteOf(last)) return [];
  state.put('quota.exceededAt', at);
  alerts.end(['quota.warning'], subjectOf(resetAt), at);
  raiseQuota(fact, alerts);
  return [newEvent('quota.exceeded', { used, limit, resetAt })];
}

/** One a period, and over with it. */
function raiseQuota(fact: FactOf<'quota.warning' | 'quota.exceeded'>, alerts: AlertRows): void {
  const { kind, at, used, limit, resetAt } = fact;
  const detail = { used, limit, resetAt };
  alerts.raise({ kind, subject: subjectOf(resetAt), at, detail, endsAt: Date.parse(resetAt) });
}

/** The period that ends then: `quota:2026-01`. */
const subjectOf = (resetAt: string) => `quota:${new Date(Date.parse(resetAt) - 1).toISOString().slice(0, 7)}`;

/** Something outside the log has found a trouble. Told late, it changes nothing that is newer. */
export function alertRaised({ trouble }: FactOf<'alert.raised'>, { alerts }: AccountFactParts): EventDraft[] {
  alerts.raise(trouble);
  return [];
}

/** The same of its end. */
export function alertEnded(
  { kinds, subject, at }: FactOf<'alert.ended'>,
  { alerts }: AccountFactParts,
): EventDraft[] {
  const began = alerts.open.filter((trouble) => trouble.subject === subject && trouble.at <= at);
  const over = kinds.filter((kind) => began.some((trouble) => trouble.kind === kind));
  alerts.end(over, subject, at);
  return [];
}

const kind = 'campaign.paused';

/** The last change of each campaign that was told. */
export const campaignRevisionsSql = `
  CREATE TABLE campaign_revisions (campaign_id TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
`;

/** What each was called when it told of itself last. */
export const campaignNamesSql = 'ALTER TABLE campaign_revisions ADD COLUMN name TEXT;';

/** What a campaign is called; null: it has told nothing yet. */
export function campaignName(sql: SqlStorage, campaignId: string): string | null {
  const query = 'SELECT name FROM campaign_revisions WHERE campaign_id = ?';
  return sql.exec<{ name: string | null }>(query, campaignId).toArray()[0]?.name ?? null;
}

/** What a campaign tells of itself. It has a revision that rises with its changes: each is told once. */
export function campaignChanged(
  fact: FactOf<'campaign.changed'>,
  { sql, alerts }: AccountFactParts,
): EventDraft[] {
  const { campaignId, revision, at, change, name, reason, counts } = fact;
  const isNews = sql.exec(
    `INSERT INTO campaign_revisions (campaign_id, revision, name) VALUES (?, ?, ?) ON CONFLICT DO UPDATE
     SET revision = excluded.revision, name = excluded.name WHERE revision < excluded.revision RETURNING 1`,
    ...[campaignId, revision, name],
  );
  if (isNews.toArray().length === 0) return [];
  const subject = `campaign:${campaignId}`;
  // That a person has paused it troubles nobody.
  const isTrouble = change === 'paused' && reason !== null && reason !== 'by_person';
  if (isTrouble) alerts.raise({ kind, subject, at, detail: { name, reason } });
  else alerts.end([kind], subject, at);
  return [newEvent(`campaign.${change}`, { campaignId, name, ...(reason !== null && { reason }), counts })];
}
