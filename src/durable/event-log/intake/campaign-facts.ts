import { newEventId } from '../../new-ids.ts';
import type { AlertRows } from '../alerts/alert-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';

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
export class CampaignFacts {
  readonly #sql: SqlStorage;
  readonly #alerts: AlertRows;

  constructor(sql: SqlStorage, alerts: AlertRows) {
    this.#sql = sql;
    this.#alerts = alerts;
  }

  changed(fact: Extract<Fact, { kind: 'campaign.changed' }>): EventDraft[] {
    const { campaignId, revision, at, change, name, reason, counts } = fact;
    const query = 'SELECT revision FROM campaign_revisions WHERE campaign_id = ?';
    const last = this.#sql.exec<{ revision: number }>(query, campaignId).toArray()[0]?.revision ?? 0;
    if (revision <= last) return [];
    this.#sql.exec(
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
