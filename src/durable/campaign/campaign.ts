import type { Refusal } from '../../contract/errors.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import { logOf } from '../event-log/log-of.ts';
import { LogOutbox } from '../hand-over/log-outbox.ts';
import { logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { TimedObject } from '../timed-object.ts';
import { CampaignRun } from './campaign-run.ts';
import { Controls, type Done } from './controls.ts';
import type { CampaignDefinition } from './definition.ts';
import { campaignMigrations } from './migrations.ts';
import { Mirror } from './mirror.ts';
import { outcomeEvents } from './outcomes/outcomes.ts';
import type { CampaignPorts } from './ports.ts';
import { type CampaignPreview, previewOf } from './preview.ts';
import { type CampaignView, newProgress, viewOf } from './progress.ts';
import { recipientIdOf } from './recipient.ts';
import type { Recipient, RecipientFilter } from './recipient-rows.ts';
import { numbersGone } from './sending/room.ts';
import { CampaignStore } from './store.ts';

/** The account and the log of a campaign, as its object asks them. */
function campaignPorts(env: () => Env, accountId: () => string): CampaignPorts {
  const account = () => env().ACCOUNT.getByName(accountId());
  const log = () => logOf(env(), accountId());
  return {
    audience: async (source, after, limit) => log().audience(source, after, limit, 'all'),
    recipients: async (addresses) => account().recipients(addresses),
    addresses: async (contactIds) => log().contactAddresses(contactIds),
    outlook: async (numberIds) => account().campaignOutlook(numberIds),
    sendAll: async (sends) => account().sendForCampaign(sends),
    withdraw: async (messages) =>
      account().withdraw(
        messages.map(({ messageId }) => messageId),
        messages.map(({ numberId }) => numberId),
      ),
    stopWords: async () => account().stopWords(),
    events: async (after, limit) =>
      log().readEvents({ after, limit, filter: { events: outcomeEvents, numberId: null } }),
    messages: async (messageIds) => {
      const found = await Promise.all(messageIds.map((messageId) => log().message(messageId)));
      return found.filter((message) => message?.direction === 'outbound');
    },
  };
}

/**
 * One campaign: its definition, its recipients, and the state of each of them, all in SQLite. Accepted messages belong to the
 * account; the campaign reads their outcome in the account's events. Memory has nothing that could not be read again.
 */
export class Campaign extends TimedObject {
  readonly #store: CampaignStore;
  readonly #logOutbox: LogOutbox;
  readonly #run: CampaignRun;
  readonly #controls: Controls;
  readonly #mirror: Mirror;
  protected readonly timers: NamedTimers;
  readonly #ports: ReturnType<typeof campaignPorts>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    migrateObject(storage, campaignMigrations);
    this.#logOutbox = new LogOutbox(storage.sql, async (facts) =>
      logOf(this.env, this.#accountId()).take(facts),
    );
    this.#store = new CampaignStore(storage, () => this.#logOutbox.reload());
    this.#ports = campaignPorts(
      () => this.env,
      () => this.#accountId(),
    );
    const parts = { storage, store: this.#store, ports: this.#ports, logOutbox: this.#logOutbox };
    const arrivesWithinMs = settingsOf(env).CAMPAIGN_ARRIVAL_SECONDS * 1000;
    this.#run = new CampaignRun({ ...parts, arrivesWithinMs, pause: () => scheduler.wait(0) });
    this.#controls = new Controls({ ...parts, rows: this.#run.rows });
    this.#mirror = new Mirror(this.#store, () => this.env.DB);
    this.timers = new NamedTimers(storage, [
      { name: 'run', dueAt: () => this.#run.dueAt(Date.now()), run: () => this.#runOn() },
      { name: 'log', dueAt: () => this.#logOutbox.dueAt(), run: () => this.#logOutbox.flush() },
      { name: 'mirror', dueAt: () => this.#mirror.dueAt(), run: (now) => this.#mirror.write(now) },
    ]);
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  /** A new draft. To repeat it changes nothing. */
  create(accountId: string, campaignId: string, definition: CampaignDefinition): CampaignView {
    if (this.#store.progress === null) {
      const texts = definition.texts.length;
      this.#store.create(definition, newProgress(accountId, campaignId, texts, Date.now()));
    }
    return this.#view();
  }

  /** Null: there is no such campaign. */
  view(): CampaignView | null {
    return this.#store.progress === null ? null : this.#view();
  }

  /** What it is to do; null: there is no such campaign. */
  definition(): CampaignDefinition | null {
    return this.#store.definition;
  }

  /** `before`: what the change was made of. Null: it is another one by now. */
  async edit(
    definition: CampaignDefinition,
    before: CampaignDefinition | null = this.#store.definition,
  ): Promise<CampaignView | Refusal | null> {
    if (JSON.stringify(before) !== JSON.stringify(this.#store.definition)) return null;
    return this.#act(() => this.#controls.edit(definition));
  }

  async start(): Promise<CampaignView | Refusal> {
    const obstacle = await this.#obstacle();
    return this.#act((now) => this.#controls.start(now, obstacle));
  }

  pause(): Promise<CampaignView | Refusal> {
    return this.#act((now) => this.#controls.pause(now));
  }

  async resume(): Promise<CampaignView | Refusal> {
    const obstacle = await this.#obstacle();
    return this.#act((now) => this.#controls.resume(now, obstacle));
  }

  cancel(): Promise<CampaignView | Refusal> {
    return this.#act((now) => this.#controls.cancel(now));
  }

  async retryFailed(): Promise<CampaignView | Refusal> {
    const obstacle = await this.#obstacle();
    return this.#act((now) => this.#controls.retryFailed(now, obstacle));
  }

  /** Who would get it, who would not and why, and how long it would take. Changes nothing. */
  async preview(): Promise<CampaignPreview | null> {
    const { definition, progress } = this.#store;
    if (definition === null || progress === null) return null;
    return previewOf(definition, this.#ports, Date.now());
  }

  /** In the order of their phone numbers, whoever is known by an alias last. */
  recipients(
    filter: RecipientFilter,
    limit: number,
    after: number | null,
  ): { recipients: Recipient[]; nextAfter: number | null } {
    return this.#run.rows.page(filter, limit, after);
  }

  /** Somebody is erased: how many rows no longer tell who it was. Row and status stay, for the counts. */
  forgetRecipient(address: string): number {
    const id = recipientIdOf(address);
    const recipient = id === null ? null : this.#run.rows.find(id);
    if (recipient === null) return 0;
    this.#store.change((progress) => {
      // Nobody can be written to any more.
      this.#run.forget(recipient, progress);
    });
    return 1;
  }

  /** Everything goes, but the number of its last change: what is said late about it tells nothing new. */
  async remove(): Promise<Done> {
    // What is left to tell of it is told first: afterwards nobody knows whose log that was.
    while (this.#run.sweep(Date.now())) await scheduler.wait(0);
    await this.#logOutbox.flush();
    const refusal = this.#controls.removal();
    if (!refusal.ok) return refusal;
    if (!this.#logOutbox.isEmpty) throw new Error('the log could not be told of the end of this campaign');
    this.ctx.storage.transactionSync(() => {
      for (const table of ['recipients', 'zones', 'definition', 'progress']) {
        this.ctx.storage.sql.exec(`DELETE FROM ${table}`);
      }
    });
    this.#store.reload();
    return refusal;
  }

  /** Why it could send nothing, however long it waits; null: it can, or may later. */
  async #obstacle(): Promise<Refusal | null> {
    const { numberIds } = this.#store.known.definition;
    const { numbers } = await this.#ports.outlook(numberIds);
    return numbers.length === 0 ? numbersGone(numberIds) : null;
  }

  #accountId(): string {
    return this.#store.known.progress.accountId;
  }

  #view(): CampaignView {
    const { definition, progress } = this.#store.known;
    return viewOf(definition, progress);
  }

  async #act(work: (now: number) => Done): Promise<CampaignView | Refusal> {
    const done = work(Date.now());
    if (!done.ok) return done;
    this.#run.wake();
    this.timers.arm();
    this.ctx.waitUntil(this.alarm());
    await this.#mirror.write(Date.now()).catch((error) => logFault('campaign.not_mirrored', error));
    return this.#view();
  }

  async #runOn(): Promise<void> {
    try {
      await this.#run.run();
    } finally {
      this.ctx.waitUntil(this.#logOutbox.flush().then(() => this.timers.arm()));
      this.timers.arm();
    }
  }
}
