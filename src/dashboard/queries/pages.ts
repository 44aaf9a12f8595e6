import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from '../../sdk/index.ts';

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
