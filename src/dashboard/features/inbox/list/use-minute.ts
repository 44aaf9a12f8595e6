import { Store, useStore } from '../../../gateway/store.ts';

/** One clock for all rows: the present, which moves on every half minute while the page is open. */
const minute = new Store(Date.now());
const everyMs = 30_000;
setInterval(() => minute.set(Date.now()), everyMs);

export const useMinute = (): number => useStore(minute);
