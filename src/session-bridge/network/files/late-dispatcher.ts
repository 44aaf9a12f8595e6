import type { Dispatcher } from 'undici';

/** A way by which something is downloaded. */
export type Downloads = Pick<Dispatcher, 'dispatch'>;

/** Made when something is downloaded first: the library takes 4 MiB at least, and most bridges download nothing this way. */
export function lateDispatcher(make: (undici: typeof import('undici')) => Dispatcher): Downloads {
  let made: Promise<Dispatcher> | null = null;
  return {
    dispatch: (options, handler) => {
      made ??= import('undici').then(make);
      made
        .then((dispatcher) => void dispatcher.dispatch(options, handler))
        .catch((error: Error) => handler.onResponseError?.(null as never, error));
      return true;
    },
  };
}
