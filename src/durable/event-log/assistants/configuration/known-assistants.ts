import type { LogState } from '../../log-state.ts';
import type { AccountAssistants, AssistantConfiguration } from './load-assistants.ts';

const name = 'assistants';

/** The account's assistants, as the log has read them from D1 last. */
export class KnownAssistants {
  readonly #state: LogState;
  #known: AccountAssistants | null;

  constructor(state: LogState) {
    this.#state = state;
    this.#known = state.get<AccountAssistants>(name);
  }

  /** After a rollback. */
  reload(): void {
    this.#known = this.#state.get<AccountAssistants>(name);
  }

  /** Takes over the configuration as D1 has it; one that is older than what is known changes nothing. */
  replace(read: AccountAssistants): void {
    const known = this.#known;
    if (known !== null && read.revision < known.revision) return;
    const had = (known?.assistants.length ?? 0) > 0;
    // An account that has none, and had none, writes nothing.
    if (!had && read.assistants.length === 0) return;
    this.#state.put(name, read);
    this.#known = read;
  }

  /** Whether any may answer at all. */
  get anyEnabled(): boolean {
    return this.#known?.assistants.some(({ enabled }) => enabled) ?? false;
  }

  get optOut(): AccountAssistants['optOut'] {
    return this.#known?.optOut ?? { stopWords: [], startWords: [] };
  }

  find(assistantId: string): AssistantConfiguration | null {
    return this.#known?.assistants.find(({ id }) => id === assistantId) ?? null;
  }

  /** Those that may answer what comes to this number, the oldest first. */
  enabledFor(numberId: string): AssistantConfiguration[] {
    const all = this.#known?.assistants ?? [];
    return all.filter((it) => it.enabled && (it.numberIds === null || it.numberIds.includes(numberId)));
  }
}
