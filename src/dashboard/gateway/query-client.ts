import {
  type InferDataFromTag,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
  type Updater,
} from '@tanstack/react-query';

/**
 * TanStack Query asks again for what it has been told is outdated, except where the first answer is still on its way: that
 * one counts as new, though it may be older than what was told. Here it is asked for once more when it has come.
 */
class AskingAgain extends QueryClient {
  readonly #outdatedFirst = new WeakSet<Query>();

  override invalidateQueries<TaggedKey extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<TaggedKey>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      if (query.state.data !== undefined || this.#outdatedFirst.has(query)) continue;
      this.#outdatedFirst.add(query);
      void query.promise
        ?.catch(() => undefined)
        .then(() => {
          this.#outdatedFirst.delete(query);
          return super.invalidateQueries({ queryKey: query.queryKey, exact: true });
        });
    }
    return super.invalidateQueries(filters, options);
  }
}

type Wait = (queryKey: QueryKey) => Promise<void>;
let behind: Wait | null = null;

/** What every query waits for before it asks. */
export function askBehind(wait: Wait | null): void {
  behind = wait;
}

/**
 * What was asked stays true until an event says otherwise (live.ts), so nothing is asked again by the clock. The SDK
 * repeats what failed on the way.
 */
export const queryClient = new AskingAgain({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'online',
      // Nothing is persisted: this is where all queries ask.
      persister: (ask, context) => behind?.(context.queryKey).then(() => ask(context)) ?? ask(context),
    },
    mutations: { retry: false },
  },
});

/**
 * What is under this key has changed. `deletedId`: this one is gone, so what belongs to it alone is not asked for again,
 * though its page may still be shown for a moment.
 */
export const changed = (queryKey: QueryKey, deletedId?: string) =>
  queryClient.invalidateQueries({
    queryKey,
    predicate: (query) => deletedId === undefined || !query.queryKey.includes(deletedId),
  });

/**
 * Shows what the gateway has stored. An answer that is on its way may be older than that, or newer: it is left, and asked for
 * again.
 */
export function showStored<Key extends QueryKey>(
  queryKey: Key,
  stored: Updater<InferDataFromTag<unknown, Key> | undefined, InferDataFromTag<unknown, Key> | undefined>,
): void {
  const isOnItsWay = queryClient.isFetching({ queryKey, exact: true }) > 0;
  queryClient.setQueryData<unknown, Key>(queryKey, stored);
  if (isOnItsWay) void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'all' });
}

/** A whole list with a thing as it is stored now: in its place, or first where it is new. */
export function withStored<Thing>(
  all: Thing[] | undefined,
  stored: Thing,
  idOf: (thing: Thing) => string,
): Thing[] | undefined {
  const isStored = (one: Thing) => idOf(one) === idOf(stored);
  if (all === undefined || all.some(isStored)) return all?.map((one) => (isStored(one) ? stored : one));
  return [stored, ...all];
}
