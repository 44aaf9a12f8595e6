import { Agent, type Dispatcher } from 'undici';

/** Where the client downloads histories and settings by itself, whatever host the network names for files. */
const wellKnownOrigin = 'https://mmg.whatsapp.net';

let direct: Agent | null = null;

/**
 * A way by which these downloads reach the host that the network has named, as all other files do. For networks that are
 * not the real one: nobody knows theirs.
 */
export function leadOwnDownloads(mediaHost: () => Promise<string>, way: Dispatcher | null): Dispatcher {
  direct ??= new Agent();
  return (way ?? direct).compose((dispatch) => (options, handler) => {
    if (String(options.origin) !== wellKnownOrigin) return dispatch(options, handler);
    mediaHost().then(
      (host) => dispatch({ ...options, origin: `https://${host}` }, handler),
      (error: Error) => handler.onResponseError?.(null as never, error),
    );
    return true;
  });
}
