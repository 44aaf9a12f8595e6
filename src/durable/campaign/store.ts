import { inTransaction } from '../storage/in-transaction.ts';
import { Tables } from '../storage/rows.ts';
import type { CampaignDefinition } from './definition.ts';
import type { Progress } from './progress.ts';

/** Of an object's storage, what a campaign needs. */
export type CampaignStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** The definition and the progress of a campaign: a row each. */
export class CampaignStore extends Tables {
  readonly #storage: CampaignStorage;
  /** Null: to be read. */
  #definition: CampaignDefinition | null = null;
  #progress: Progress | null = null;
  readonly #rolledBack: () => void;

  /** `rolledBack`: after a transaction that was, what else is in memory is not true any more. */
  constructor(storage: CampaignStorage, rolledBack: () => void = () => {}) {
    super(storage.sql);
    this.#storage = storage;
    this.#rolledBack = rolledBack;
  }

  /** Null: there is no such campaign. */
  get definition(): CampaignDefinition | null {
    this.#definition ??= this.#read<CampaignDefinition>('definition');
    return this.#definition;
  }

  get progress(): Readonly<Progress> | null {
    this.#progress ??= this.#read<Progress>('progress');
    return this.#progress;
  }

  /** Both, of a campaign that is there. */
  get known(): { definition: CampaignDefinition; progress: Readonly<Progress> } {
    const { definition, progress } = this;
    if (definition === null || progress === null) throw new Error('there is no such campaign');
    return { definition, progress };
  }

  /** Call inside a transaction. */
  define(definition: CampaignDefinition): void {
    this.#write('definition', definition);
    this.#definition = definition;
  }

  /** Makes a change in one transaction: what `work` has done to the progress is stored with it, or nothing is. */
  change<Result>(work: (progress: Progress) => Result): Result {
    const changed = () => {
      const progress = structuredClone(this.known.progress);
      const result = work(progress);
      this.#write('progress', progress);
      this.#progress = progress;
      return result;
    };
    return inTransaction(this.#storage, changed, () => {
      this.reload();
      this.#rolledBack();
    });
  }

  create(definition: CampaignDefinition, progress: Progress): void {
    this.#storage.transactionSync(() => {
      this.define(definition);
      this.#write('progress', progress);
    });
    this.#progress = progress;
  }

  /** What is stored was changed by somebody else. */
  reload(): void {
    this.#definition = null;
    this.#progress = null;
  }

  #read<Value>(table: 'definition' | 'progress'): Value | null {
    return this.queryJson<Value>(`SELECT json FROM ${table}`);
  }

  #write(table: 'definition' | 'progress', value: unknown): void {
    this.sql.exec(`INSERT OR REPLACE INTO ${table} (id, json) VALUES (1, ?)`, JSON.stringify(value));
  }
}
