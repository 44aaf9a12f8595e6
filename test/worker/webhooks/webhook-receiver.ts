import { afterEach, vi } from 'vitest';

interface Callback {
  url: string;
  headers: Record<string, string>;
  /** The body's exact characters. */
  body: string;
}

type Answer = () => Response | Promise<Response>;

/** Receivers by URL; anything else that the Worker would call is a mistake of the test. */
const receivers = new Map<string, { answer: Answer; callbacks: Callback[] }>();

/** The receiver at this URL: what it got, and how it answers from now on. */
export function receiver(url: string, answer: Answer = () => new Response('ok')) {
  const callbacks: Callback[] = [];
  receivers.set(url, { answer, callbacks });
  return {
    callbacks,
    answers(next: Answer) {
      receivers.set(url, { answer: next, callbacks });
    },
  };
}

/** A receiver that answers when the test says so. */
export function hangingReceiver(at: string) {
  let answered = 0;
  let status = 200;
  const hook = receiver(at, async () => {
    const own = hook.callbacks.length;
    // Whoever calls waits by itself: what one object has begun another one cannot end.
    while (answered < own) await scheduler.wait(5);
    return new Response(null, { status });
  });
  return {
    ...hook,
    /** Answers all that have come in by now. */
    answerAll: (as = 200) => {
      status = as;
      answered = hook.callbacks.length;
    },
  };
}

/**
 * Stands where the Worker meets the network. Call once in a test file, whose receivers have a host of their own: files share a
 * process, in which webhooks of earlier files still try again.
 */
export function interceptCallbacks(): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const known = receivers.get(request.url);
    if (known === undefined) throw new Error(`no receiver at ${request.url}`);
    known.callbacks.push({
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
    return known.answer();
  });
  afterEach(() => receivers.clear());
}
