import { type MockInstance, vi } from 'vitest';
import { defaultAccountSettings } from '../../../src/contract/account-settings.ts';
import { Account } from '../../../src/durable/account/account.ts';
import type { NewsTaken, NumberNews, NumberNote } from '../../../src/durable/hand-over/number-news.ts';

/** What numbers tell their accounts, in the place of these accounts. */
export class HeardNews {
  readonly news: NumberNews[] = [];
  rerouteAfterMs = defaultAccountSettings.rerouteAfterMs;
  /** While it is set no account takes any note. */
  isAway = false;
  readonly #spy: MockInstance;

  constructor() {
    this.#spy = vi.spyOn(Account.prototype, 'hear').mockImplementation((news) => this.#hear(news));
  }

  /** What a number has given back, in order. */
  returnedBy(numberId: string): Extract<NumberNote, { kind: 'returned' }>[] {
    return this.#notesOf(numberId).filter((note) => note.kind === 'returned');
  }

  inboundAt(numberId: string): Extract<NumberNote, { kind: 'inbound' }>[] {
    return this.#notesOf(numberId).filter((note) => note.kind === 'inbound');
  }

  /** How a number said last that it is. */
  lastReport(numberId: string): NumberNews['report'] | undefined {
    return this.news.findLast((news) => news.numberId === numberId)?.report;
  }

  /** Up to which note the account says that it has them. */
  answer(news: NumberNews): number {
    return news.notes.at(-1)?.seq ?? 0;
  }

  /** Resolves when the account answers what it was told. */
  async answered(): Promise<void> {}

  restore(): void {
    this.#spy.mockRestore();
  }

  #notesOf(numberId: string): NumberNote[] {
    const bySeq = new Map(
      this.news
        .filter((news) => news.numberId === numberId)
        .flatMap(({ notes }) => notes.map(({ seq, note }) => [seq, note] as const)),
    );
    return [...bySeq].sort(([a], [b]) => a - b).map(([, note]) => note);
  }

  async #hear(news: NumberNews): Promise<NewsTaken> {
    if (this.isAway) return { takenUpTo: 0, rerouteAfterMs: this.rerouteAfterMs };
    this.news.push(news);
    await this.answered();
    return { takenUpTo: this.answer(news), rerouteAfterMs: this.rerouteAfterMs };
  }
}
