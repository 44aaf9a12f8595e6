import type { CampaignStatus } from '../../contract/campaigns/campaign.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { LogOutbox } from '../hand-over/log-outbox.ts';
import { tellChange } from './campaign-run.ts';
import type { CampaignDefinition } from './definition.ts';
import { freshGuard } from './outcomes/guard.ts';
import { type CampaignAction, statusAfter } from './progress.ts';
import { emptyTally } from './recipient.ts';
import type { RecipientRows } from './recipient-rows.ts';
import { finalFailures } from './sending/sweeps.ts';
import type { CampaignStore } from './store.ts';

export type Done = { ok: true } | Refusal;

interface ControlsParts {
  store: CampaignStore;
  rows: RecipientRows;
  logOutbox: LogOutbox;
}

/** What people do to a campaign. Each is one transaction, and in force when it returns. */
export class Controls {
  readonly #parts: ControlsParts;

  constructor(parts: ControlsParts) {
    this.#parts = parts;
  }

  /** What it is to do, anew: only before it has begun. */
  edit(definition: CampaignDefinition): Done {
    const { store } = this.#parts;
    return this.#act('edit', () => {
      store.change((progress) => {
        store.define(definition);
        progress.tally = emptyTally(definition.texts.length);
      });
    });
  }

  /**
   * Now, or at its time if that is in the future. Starting a scheduled campaign starts it now.
   *
   * @param obstacle why it could not send whatever it waits for; null: it can, now or later
   */
  start(now: number, obstacle: Refusal | null = null): Done {
    const { store } = this.#parts;
    const { definition, progress } = store.known;
    const isLater = progress.status === 'draft' && definition.startAt !== null && definition.startAt > now;
    return this.#act(isLater ? 'schedule' : 'start', (status) => {
      if (obstacle !== null) return obstacle;
      store.change((current) => {
        current.status = status;
        current.reason = null;
        if (isLater) return;
        current.startedAt = now;
        tellChange(this.#parts, current, 'started', now);
      });
      return;
    });
  }

  pause(now: number): Done {
    const { store } = this.#parts;
    return this.#act('pause', (status) => {
      store.change((progress) => {
        progress.status = status;
        progress.hold = null;
        // What was only planned is a draft again.
        if (status !== 'paused') return;
        progress.reason = 'by_person';
        progress.mustWithdraw = true;
        progress.withdrawnUpTo = null;
        tellChange(this.#parts, progress, 'paused', now);
      });
    });
  }

  resume(now: number, obstacle: Refusal | null = null): Done {
    const { store } = this.#parts;
    return this.#act('resume', (status) => {
      if (obstacle !== null) return obstacle;
      store.change((progress) => {
        progress.status = status;
        progress.reason = null;
        progress.mustWithdraw = false;
        progress.withdrawnUpTo = null;
        progress.resumedAt = now;
        progress.guard = freshGuard;
        tellChange(this.#parts, progress, 'started', now);
      });
      return;
    });
  }

  cancel(now: number): Done {
    const { store } = this.#parts;
    return this.#act('cancel', (status) => {
      store.change((progress) => {
        const hadBegun = progress.startedAt !== null;
        progress.status = status;
        progress.reason = 'cancelled';
        progress.endedAt = now;
        progress.hold = null;
        progress.mustWithdraw = hadBegun;
        progress.withdrawnUpTo = null;
        progress.sweeps = hadBegun ? [{ kind: 'cancel' }] : [];
        // Where somebody waits, it is told when nobody does any more: with the counts as they are then.
        if (!hadBegun) tellChange(this.#parts, progress, 'finished', now);
      });
    });
  }

  /** Recipients whose message has failed get another one, unless it may have reached them. */
  retryFailed(now: number, obstacle: Refusal | null = null): Done {
    const { store, rows } = this.#parts;
    return this.#act('retry', (status) => {
      const { failed } = store.known.progress.tally.states;
      if (failed === 0) return refuse('CONFLICT', `${sentences.retry}: nothing has failed.`);
      if (!rows.hasFailed(finalFailures)) {
        const why = 'what has failed may have arrived, or is not wanted any more';
        return refuse('CONFLICT', `${sentences.retry}: ${why}.`);
      }
      if (obstacle !== null) return obstacle;
      store.change((progress) => {
        const goesOnAgain = progress.status === 'finished';
        progress.status = status;
        progress.sweeps.push({ kind: 'retry', after: Number.MIN_SAFE_INTEGER });
        progress.guard = freshGuard;
        if (!goesOnAgain) return;
        progress.reason = null;
        progress.endedAt = null;
        tellChange(this.#parts, progress, 'started', now);
      });
      return;
    });
  }

  /** Whether it may be deleted. */
  removal(): Done {
    return this.#act('delete', () => {});
  }

  #act(action: CampaignAction, work: (status: CampaignStatus) => Refusal | undefined): Done {
    const { status } = this.#parts.store.known.progress;
    const next = statusAfter(status, action);
    if (next === null) return refuse('CONFLICT', `${sentences[action]}: it is ${status}.`);
    return work(next) ?? { ok: true };
  }
}

const sentences: Record<CampaignAction, string> = {
  edit: 'This campaign cannot be changed any more',
  schedule: 'This campaign cannot be started',
  start: 'This campaign cannot be started',
  begin: 'This campaign cannot be started',
  pause: 'This campaign cannot be paused',
  resume: 'This campaign cannot be resumed',
  finish: 'This campaign cannot be finished',
  cancel: 'This campaign cannot be cancelled',
  retry: 'Nothing of this campaign can be sent again',
  delete: 'This campaign cannot be deleted',
};
