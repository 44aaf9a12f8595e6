import { CampaignRun } from '../../../../src/durable/campaign/campaign-run.ts';
import { Controls } from '../../../../src/durable/campaign/controls.ts';
import type { CampaignDefinition } from '../../../../src/durable/campaign/definition.ts';
import { campaignMigrations } from '../../../../src/durable/campaign/migrations.ts';
import { newProgress } from '../../../../src/durable/campaign/progress.ts';
import { count, countsOf, emptyTally } from '../../../../src/durable/campaign/recipient.ts';
import { CampaignStore } from '../../../../src/durable/campaign/store.ts';
import type { Fact } from '../../../../src/durable/event-log/facts.ts';
import { LogOutbox } from '../../../../src/durable/hand-over/log-outbox.ts';
import { FakeGateway } from './fake-gateway.ts';
import { sqliteStorage } from './sqlite-storage.ts';

export const textOf = (text: string) => ({
  body: JSON.stringify({ text }),
  content: { type: 'text' as const, text },
});

const definitionWith = (more: Partial<CampaignDefinition> = {}): CampaignDefinition => ({
  name: 'Spring',
  texts: [textOf('Hello {{name|there}}')],
  winner: null,
  audience: { all: true },
  coldContacts: true,
  numberIds: null,
  startAt: null,
  window: null,
  timeZone: 'UTC',
  ratePerHour: null,
  stopAfterFailures: 1_000_000,
  whenQuotaEnds: 'wait',
  replyDays: 7,
  ...more,
});

/** A campaign over a storage that outlives it, and a clock that the test sets. */
export class CampaignStage {
  readonly storage = sqliteStorage();
  readonly gateway: FakeGateway;
  now = Date.UTC(2026, 2, 2, 9);
  store!: CampaignStore;
  run!: CampaignRun;
  controls!: Controls;
  facts = 0;

  constructor(recipients: number, more: Partial<CampaignDefinition> = {}, numbers = 2) {
    this.gateway = new FakeGateway(recipients, numbers, () => this.now);
    for (const { sql } of campaignMigrations) this.storage.sql.exec(sql);
    this.begin();
    const definition = definitionWith(more);
    this.store.create(definition, newProgress('account', 'campaign', definition.texts.length, this.now));
  }

  /** A new life: what was in memory is gone. */
  begin(): void {
    const logOutbox = new LogOutbox(this.storage.sql, async (facts) => ({ taken: facts.length }));
    this.store = new CampaignStore(this.storage, () => logOutbox.reload());
    const { storage, store, gateway } = this;
    this.run = new CampaignRun({
      storage,
      store,
      ports: gateway.ports,
      logOutbox,
      arrivesWithinMs: 600_000,
      pause: async () => {},
    });
    this.controls = new Controls({ store, rows: this.run.rows, logOutbox });
  }

  /** Time goes by, and the campaign does what is due; a call that is cut off ends this life of it. */
  async tick(ms = 1_000): Promise<void> {
    this.now += ms;
    this.run.wake();
    try {
      await this.run.run(() => this.now);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('cut off')) throw error;
      this.begin();
    }
  }

  async tickUntil(condition: () => boolean): Promise<void> {
    for (let look = 0; look < 100 && !condition(); look += 1) await this.tick();
    if (!condition()) throw new Error('it does not come to that');
  }

  /** Until the campaign has ended, or so many looks have passed. */
  async runToEnd(looks = 500): Promise<void> {
    for (let look = 0; look < looks; look += 1) {
      await this.tick();
      this.gateway.advance(() => 'go');
      const { status } = this.store.known.progress;
      if (status !== 'running' && status !== 'scheduled') return;
    }
    throw new Error('the campaign does not end');
  }

  /** What the log is told of its changes, in order. */
  get told() {
    const rows = this.storage.sql.exec<{ facts: string }>('SELECT facts FROM log_outbox ORDER BY seq');
    return rows
      .toArray()
      .flatMap(({ facts }) => JSON.parse(facts) as Extract<Fact, { kind: 'campaign.changed' }>[]);
  }

  get counts() {
    return countsOf(this.store.known.progress.tally);
  }

  /** The counts, taken anew from the rows. */
  get recounted() {
    const { texts } = this.store.known.definition;
    const tally = emptyTally(texts.length);
    for (const one of this.run.rows.page({ status: null }, 100_000, null).recipients) {
      count(tally, null, one.state, one.variant);
      if (one.repliedAt !== null) {
        tally.replied += 1;
        const ofText = tally.variants[one.variant ?? -1];
        if (ofText) ofText.replied += 1;
      }
      if (one.optedOutAt !== null) tally.optedOut += 1;
    }
    return tally;
  }
}
