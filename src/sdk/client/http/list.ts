/** One page, as the gateway answers it. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

type FetchPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/**
 * A list, newest first. `for await` walks over all of it, page by page as it gets there; {@link List.page} gets a single
 * page. What arrives meanwhile neither shifts nor repeats anything.
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #start: string | undefined;

  constructor(fetchPage: FetchPage<Item>, start?: string) {
    this.#fetchPage = fetchPage;
    this.#start = start;
  }

  /** The page that the cursor names, or the first one. */
  page(cursor: string | undefined = this.#start): Promise<Page<Item>> {
    return this.#fetchPage(cursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor = this.#start;
    do {
      const { data, nextCursor } = await this.#fetchPage(cursor);
      yield* data;
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
