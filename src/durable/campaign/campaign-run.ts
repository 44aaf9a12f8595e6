import type { CampaignHold, CampaignReason } from '../../contract/campaigns/campaign.ts';
import type { LogOutbox } from '../hand-over/log-outbox.ts';
import { type FreezingParts, freezePage } from './audience/freezing.ts';
import { RecipientZones } from './audience/open-hours.ts';
import { Outcomes } from './outcomes/outcomes.ts';
import type { CampaignPorts } from './ports.ts';
import { type Progress, statusAfter } from './progress.ts';
import { countsOf } from './recipient.ts';
import { type Recipient, RecipientRows } from './recipient-rows.ts';
import { Batches } from './sending/batches.ts';
import { Feeding, lookEveryMs } from './sending/feeding.ts';
import { sweepSlice } from './sending/sweeps.ts';
import type { CampaignStorage, CampaignStore } from './store.ts';

/** After an answer that says that nothing can be sent for now. */
const obstacleMs = 5_000;
/** Steps of one run: others have their turn. */
const stepsMax = 50;
/** Messages that are taken back in one call: the account does nothing else meanwhile. */
const withdrawnMax = 100;
/** How often messages are withdrawn that a number gave back after the withdrawal began, while any is left. */
const withdrawEveryMs = 5_000;

/** How often outcomes are read when nothing is under way any more: the longer ago, the seldomer. */
function readEveryMs(sinceEndMs: number): number {
  if (sinceEndMs < 600_000) return 3_000;
  return sinceEndMs < 86_400_000 ? 60_000 : 900_000;
}

interface RunParts {
  storage: CampaignStorage;
  store: CampaignStore;
  ports: CampaignPorts;
  logOutbox: LogOutbox;
  /** So long what was sent has to arrive. */
  arrivesWithinMs: number;
  /** Lets others have their turn. */
  pause: () => Promise<void>;
}

/**
 * The steps of a running campaign. Each step starts from what is stored and ends with a commit. So after a crash, between two
 * steps or within one, the step is repeated and nothing is done twice.
 */
export class CampaignRun {
  readonly rows: RecipientRows;
  readonly zones: RecipientZones;
  readonly #parts: RunParts;
  readonly #freezing: FreezingParts;
  readonly #outcomes: Outcomes;
  readonly #batches: Batches;
  readonly #feeding: Feeding;
  /** When there is something to do; in memory: a new life looks at once. */
  #nextAt = 0;
  #outcomesReadAt = 0;
  #withdrawnAt = 0;

  constructor(parts: RunParts) {
    const { storage, store, ports, arrivesWithinMs } = parts;
    this.#parts = parts;
    this.rows = new RecipientRows(storage.sql);
    this.zones = new RecipientZones(storage.sql);
    const stop = (progress: Progress, reason: CampaignReason) => this.#stop(progress, reason);
    this.#freezing = { store, rows: this.rows, zones: this.zones, ports, stop };
    this.#outcomes = new Outcomes({ store, rows: this.rows, ports, stop });
    this.#batches = new Batches({ store, rows: this.rows, ports, stop });
    this.#feeding = new Feeding({
      ...{ store, ports, arrivesWithinMs, stop },
      ...{ rows: this.rows, zones: this.zones, batches: this.#batches },
      hold: (reason, until) => this.#hold(reason, until),
    });
  }

  /** When there is something to do; null: nothing, as long as nobody wants anything. */
  dueAt(now: number): number | null {
    const { definition, progress } = this.#parts.store;
    if (definition === null || progress === null) return null;
    const { status, batch, sweeps, mustWithdraw, endedAt, tally } = progress;
    if (status === 'scheduled') return definition.startAt;
    const isBusy = batch !== null || sweeps.length > 0 || mustWithdraw || tally.states.queued > 0;
    const isListening =
      progress.cursor !== null && (endedAt === null || now < endedAt + definition.replyDays * 86_400_000);
    return status === 'running' || isBusy || isListening ? this.#nextAt : null;
  }

  /** Somebody wants something: it is looked at now. */
  wake(): void {
    this.#nextAt = 0;
  }

  /** Nothing is to tell any more who it was. Who has no message yet gets none. Call inside a change of the progress. */
  forget(recipient: Recipient, progress: Progress): void {
    const { state } = recipient;
    if (state === 'pending' || state === 'held' || state === 'queued') {
      const attempt = recipient.attempt + (state === 'queued' ? 1 : 0);
      const changes = { attempt, messageId: null, numberId: null };
      this.rows.change(progress.tally, recipient, { ...changes, state: 'cancelled' });
    }
    this.rows.forget(recipient.id);
  }

  /** Does a slice of what is to be done to many recipients; false: there is nothing to do. */
  sweep(now: number): boolean {
    return sweepSlice(this.#parts.store, this.rows, (progress) =>
      tellChange(this.#parts, progress, 'finished', now),
    );
  }

  async run(clock: () => number = Date.now): Promise<void> {
    for (let steps = 0; steps < stepsMax; steps += 1) {
      const waitMs = await this.#step(clock());
      if (waitMs === null) continue;
      this.#nextAt = clock() + waitMs;
      return;
    }
    this.#nextAt = clock();
  }

  /** Milliseconds until there is more to do; null: at once. */
  async #step(now: number): Promise<number | null> {
    const { store } = this.#parts;
    const { progress } = store.known;
    if (progress.status === 'scheduled') return this.#begin(now);
    if (progress.status === 'running' && progress.cursor === null) return this.#listen();
    if (progress.batch !== null) {
      const obstacle = await this.#batches.settle(now);
      if (obstacle === null) return null;
      this.#hold(obstacle, null);
      return obstacleMs;
    }
    if (this.sweep(now)) {
      await this.#parts.pause();
      return null;
    }
    if (progress.mustWithdraw || this.#mayHaveComeBack(now)) {
      await this.#withdraw(now);
      return null;
    }
    const waitMs = await this.#readOutcomes(now);
    if (waitMs === null) return null;
    if (store.known.progress.status !== 'running') return waitMs;
    if (!progress.isFrozen) {
      await freezePage(this.#freezing);
      return null;
    }
    const fed = await this.#feeding.feed(now);
    return fed === 'done' ? this.#finish(now) : fed;
  }

  /** The time has come for which it was planned. */
  #begin(now: number): number | null {
    const { store } = this.#parts;
    const { startAt } = store.known.definition;
    if (startAt !== null && startAt > now) return startAt - now;
    store.change((progress) => {
      progress.status = statusAfter(progress.status, 'begin') ?? progress.status;
      progress.startedAt = now;
      tellChange(this.#parts, progress, 'started', now);
    });
    return null;
  }

  /** From here on it is read what becomes of messages: before the first one is sent. */
  async #listen(): Promise<null> {
    const page = await this.#parts.ports.events('now', 1);
    if (!page.ok) throw new Error(`the events cannot be read: ${page.code}`);
    this.#parts.store.change((progress) => {
      progress.cursor ??= page.nextCursor;
    });
    return null;
  }

  /** Null: there is more; else how long it can wait. */
  async #readOutcomes(now: number): Promise<number | null> {
    const { endedAt, cursor, tally } = this.#parts.store.known.progress;
    if (cursor === null) return lookEveryMs;
    const isUnderWay = endedAt === null || tally.states.queued > 0;
    const everyMs = isUnderWay ? lookEveryMs / 2 : readEveryMs(now - endedAt);
    if (now < this.#outcomesReadAt + everyMs) return this.#outcomesReadAt + everyMs - now;
    const hasMore = await this.#outcomes.read();
    if (hasMore) return null;
    this.#outcomesReadAt = now;
    return isUnderWay ? lookEveryMs : everyMs;
  }

  /** It has stopped, and something that was accepted has no outcome yet. */
  #mayHaveComeBack(now: number): boolean {
    const { status, tally } = this.#parts.store.known.progress;
    if (status !== 'paused' && status !== 'cancelled') return false;
    return tally.states.queued > 0 && now >= this.#withdrawnAt + withdrawEveryMs;
  }

  /** Takes back a slice of what has not left, in the order of the recipients; the next step takes back the next one. */
  async #withdraw(now: number): Promise<void> {
    const { store, ports } = this.#parts;
    const after = store.known.progress.withdrawnUpTo ?? Number.MIN_SAFE_INTEGER;
    const recipients = this.rows.inState('queued', after, withdrawnMax);
    const messages = recipients.flatMap(({ messageId, numberId }) =>
      messageId === null ? [] : [{ messageId, numberId }],
    );
    if (messages.length > 0) await ports.withdraw(messages);
    const isEnd = recipients.length < withdrawnMax;
    if (isEnd) this.#withdrawnAt = now;
    store.change((progress) => {
      // It may go on again by now.
      if (progress.status === 'running') return;
      progress.mustWithdraw = !isEnd;
      progress.withdrawnUpTo = isEnd ? null : (recipients.at(-1)?.id ?? null);
    });
  }

  #finish(now: number): number {
    this.#parts.store.change((progress) => {
      progress.status = statusAfter(progress.status, 'finish') ?? progress.status;
      progress.endedAt = now;
      progress.hold = null;
      tellChange(this.#parts, progress, 'finished', now);
    });
    return lookEveryMs;
  }

  #hold(reason: CampaignHold, until: number | null): void {
    const { hold } = this.#parts.store.known.progress;
    if (hold?.reason === reason && hold.until === until) return;
    this.#parts.store.change((progress) => {
      progress.hold = { reason, until };
    });
  }

  /** It stops by itself, before it costs a number. Call inside a transaction. */
  #stop(progress: Progress, reason: CampaignReason): void {
    const status = statusAfter(progress.status, 'pause');
    if (progress.status !== 'running' || status === null) return;
    progress.status = status;
    progress.reason = reason;
    progress.hold = null;
    progress.mustWithdraw = true;
    progress.withdrawnUpTo = null;
    tellChange(this.#parts, progress, 'paused', Date.now());
  }
}

/** Tells the log of a change; counts its revision. Call inside the transaction of the change. */
export function tellChange(
  { store, logOutbox }: Pick<RunParts, 'store' | 'logOutbox'>,
  progress: Progress,
  change: 'started' | 'paused' | 'finished',
  at: number,
): void {
  progress.revision += 1;
  const { campaignId, revision, reason, tally } = progress;
  const { name } = store.known.definition;
  const told = { campaignId, revision, at, change, name, reason, counts: countsOf(tally) };
  logOutbox.add([{ kind: 'campaign.changed', ...told }]);
}
