import type { InfiniteData, QueryFilters } from '@tanstack/react-query';
import type { Page } from '../../sdk/index.ts';
import { queryClient } from '../gateway/query-client.ts';

type List<Thing> = (signal: AbortSignal) => { page: (cursor?: string) => Promise<Page<Thing>> };

/** How a query asks for a list of the gateway, page by page. */
export const byPage = <Thing>(list: List<Thing>) => ({
  queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
    list(signal).page(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: Page<Thing>) => nextCursor,
});

/** An attempt that is due has come to something by then. */
export const attemptMs = 2_000;

type Attempted = InfiniteData<Page<{ status: string; nextAttemptAt: string | null }>>;

/**
 * An attempt that fails is told by no event: its list is asked for when the next one is due; false: all have ended, or
 * wait for a person.
 */
export function whileDelivering({ state }: { state: { data: Attempted | undefined } }): number | false {
  const waits = (state.data?.pages ?? [])
    .flatMap(({ data }) => data.filter(({ status }) => status === 'pending'))
    .map(({ nextAttemptAt }) => (nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - Date.now()));
  return waits.length > 0 && Math.max(0, Math.min(...waits)) + attemptMs;
}

/** Pages with what `change` makes of each thing in them. What it leaves as it is stays the same object, its page too. */
export function changePages<Thing, Place>(
  shown: InfiniteData<Page<Thing>, Place>,
  change: (thing: Thing) => Thing,
): InfiniteData<Page<Thing>, Place> {
  const pages = shown.pages.map((page) => {
    const data = page.data.map(change);
    return data.some((thing, place) => thing !== page.data[place]) ? { ...page, data } : page;
  });
  return pages.some((page, place) => page !== shown.pages[place]) ? { ...shown, pages } : shown;
}

/**
 * Pages without what `isOld`, and with what is new where it stands by `order`. What stands behind the last page that was
 * asked for comes with the next one.
 */
export function replaceInPages<Thing, Place>(
  shown: InfiniteData<Page<Thing>, Place>,
  isOld: (thing: Thing) => boolean,
  fresh: readonly Thing[],
  order: (one: Thing, other: Thing) => number,
): InfiniteData<Page<Thing>, Place> {
  const coming = fresh.toSorted(order);
  const pages = shown.pages.map((page) => {
    const kept = page.data.filter((thing) => !isOld(thing));
    const end = kept.at(-1);
    const isEnd = page.nextCursor === null;
    const here = coming.filter((one) => isEnd || (end !== undefined && order(one, end) <= 0));
    coming.splice(0, here.length);
    if (here.length === 0 && kept.length === page.data.length) return page;
    return { ...page, data: [...here, ...kept].toSorted(order) };
  });
  return pages.some((page, place) => page !== shown.pages[place]) ? { ...shown, pages } : shown;
}

/**
 * Changes what is shown, as was told. An answer that is on its way may be older: it is changed when it has come. What is
 * outdated already is asked for instead.
 */
export function patchShown<Shown>(
  filters: QueryFilters,
  change: (shown: Shown, queryKey: readonly unknown[]) => Shown,
): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    const { queryKey, state } = query;
    const patch = () =>
      void queryClient.setQueryData<Shown>(queryKey, (shown) => shown && change(shown, queryKey));
    if (state.fetchStatus === 'fetching') void query.promise?.then(patch, () => undefined);
    else if (state.isInvalidated && query.isActive()) {
      void queryClient.invalidateQueries({ queryKey, exact: true });
    }
    if (!state.isInvalidated) patch();
  }
}
