import type { AlertKind } from '../../../contract/alerts/alerts.ts';
import { newEventId } from '../../new-ids.ts';
import { Tables } from '../../storage/rows.ts';
import type { AlertRows } from '../alerts/alert-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';
import type { LogState } from '../log-state.ts';

const minuteOf = (at: number) => Math.floor(at / 60_000);

/** That the quota is used up is told at most once a minute. */
export class QuotaFacts {
  readonly #state: LogState;
  readonly #alerts: AlertRows;

  constructor(state: LogState, alerts: AlertRows) {
    this.#state = state;
    this.#alerts = alerts;
  }

  /** Most of it is used: no event tells of it, but an alert. */
  warning({ at, used, limit, resetAt }: Extract<Fact, { kind: 'quota.warning' }>): EventDraft[] {
    if (Date.parse(resetAt) > at) this.#raise('quota.warning', at, { used, limit, resetAt });
    return [];
  }

  exceeded({ at, used, limit, resetAt }: Extract<Fact, { kind: 'quota.exceeded' }>): EventDraft[] {
    const last = this.#state.get<number>('quota.exceededAt');
    if (last !== null && minuteOf(at) <= minuteOf(last)) return [];
    this.#state.put('quota.exceededAt', at);
    this.#alerts.end(['quota.warning'], subjectOf(resetAt), at);
    this.#raise('quota.exceeded', at, { used, limit, resetAt });
    return [{ id: newEventId(), event: 'quota.exceeded', data: { used, limit, resetAt } }];
  }

  /** One a period, and over with it. */
  #raise(kind: AlertKind, at: number, detail: { used: number; limit: number; resetAt: string }): void {
    const { resetAt } = detail;
    this.#alerts.raise({ kind, subject: subjectOf(resetAt), at, detail, endsAt: Date.parse(resetAt) });
  }
}

/** The period that ends then: `quota:2026-01`. */
const subjectOf = (resetAt: string) => `quota:${new Date(Date.parse(resetAt) - 1).toISOString().slice(0, 7)}`;

/** Troubles that something outside the log has found, and their ends. Told late, they change nothing that is newer. */
export class AlertFacts {
  readonly #alerts: AlertRows;

  constructor(alerts: AlertRows) {
    this.#alerts = alerts;
  }

  raised({ trouble }: Extract<Fact, { kind: 'alert.raised' }>): EventDraft[] {
    this.#alerts.raise(trouble);
    return [];
  }

  ended({ kinds, subject, at }: Extract<Fact, { kind: 'alert.ended' }>): EventDraft[] {
    const began = this.#alerts.open.filter((trouble) => trouble.subject === subject && trouble.at <= at);
    const over = kinds.filter((kind) => began.some((trouble) => trouble.kind === kind));
    this.#alerts.end(over, subject, at);
    return [];
  }
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

/** What campaigns tell of themselves. Each has a revision that rises with its changes: one is told once. */
export class CampaignFacts extends Tables {
  readonly #alerts: AlertRows;

  constructor(sql: SqlStorage, alerts: AlertRows) {
    super(sql);
    this.#alerts = alerts;
  }

  changed(fact: Extract<Fact, { kind: 'campaign.changed' }>): EventDraft[] {
    const { campaignId, revision, at, change, name, reason, counts } = fact;
    const query = 'SELECT revision FROM campaign_revisions WHERE campaign_id = ?';
    const last = this.queryValue<number>(query, campaignId) ?? 0;
    if (revision <= last) return [];
    this.sql.exec(
      'INSERT OR REPLACE INTO campaign_revisions (campaign_id, revision, name) VALUES (?, ?, ?)',
      ...[campaignId, revision, name],
    );
    const subject = `campaign:${campaignId}`;
    // That a person has paused it troubles nobody.
    const isTrouble = change === 'paused' && reason !== null && reason !== 'by_person';
    if (isTrouble) this.#alerts.raise({ kind, subject, at, detail: { name, reason } });
    else this.#alerts.end([kind], subject, at);
    const data = { campaignId, name, ...(reason !== null && { reason }), counts };
    return [{ id: newEventId(), event: `campaign.${change}`, data } as EventDraft];
  }
}
