/** Callbacks to one host that one isolate has under way at a time, whatever accounts they are of. */
const underWayMax = 300;
const underWay = new Map<string, number>();

/**
 * Makes a callback unless too many to its host are under way: then null, and it is made again later. It bounds what one
 * isolate does; the platform runs many, and what bounds them all is what each account may have under way.
 */
export async function withinHostBound<Result>(
  url: string,
  call: () => Promise<Result>,
): Promise<Result | null> {
  const host = URL.canParse(url) ? new URL(url).host : url;
  const before = underWay.get(host) ?? 0;
  if (before >= underWayMax) return null;
  underWay.set(host, before + 1);
  try {
    return await call();
  } finally {
    const left = (underWay.get(host) ?? 1) - 1;
    if (left > 0) underWay.set(host, left);
    else underWay.delete(host);
  }
}
