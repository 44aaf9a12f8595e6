import type { AlertRows } from '../alerts/alert-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';

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
