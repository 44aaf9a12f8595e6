import { type Downloads, lateDispatcher } from './late-dispatcher.ts';

/** Where the client downloads histories and settings by itself, whatever host the network names for files. */
const wellKnownOrigin = 'https://mmg.whatsapp.net';

const direct = lateDispatcher(({ Agent }) => new Agent());

/**
 * A way by which these downloads reach the host that the network has named, as all other files do. For networks that are
 * not the real one: nobody knows theirs.
 */
export function leadOwnDownloads(mediaHost: () => Promise<string>, way: Downloads | null): Downloads {
  const reach = way ?? direct;
  return {
    dispatch: (options, handler) => {
      if (String(options.origin) !== wellKnownOrigin) return reach.dispatch(options, handler);
      mediaHost().then(
        (host) => reach.dispatch({ ...options, origin: `https://${host}` }, handler),
        (error: Error) => handler.onResponseError?.(null as never, error),
      );
      return true;
    },
  };
}
