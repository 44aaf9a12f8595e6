/** Sends that go on together. */
const groupMax = 64;
/** A number that answers late holds up the sends behind it for that long. */
const patienceMs = 50;
/** Who comes so soon after another send is hardly alone. */
const busyMs = 10;

interface Waiting<Send, Result> {
  send: Send;
  resolve: (result: Result | PromiseLike<Result>) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets a send that is alone go at once. Those that come in while it is on its way wait for it, and go on together: so
 * under load many share one transaction here, and one call and one transaction at each of their numbers.
 */
export class SendGroups<Send, Result> {
  readonly #go: (sends: readonly Send[]) => (Result | Promise<Result>)[];
  readonly #waiting: Waiting<Send, Result>[] = [];
  #isGoing = false;
  #wentAt = 0;

  /** `go` takes sends, in the order in which they came, and says of each what comes of it. It throws when none has gone. */
  constructor(go: (sends: readonly Send[]) => (Result | Promise<Result>)[]) {
    this.#go = go;
  }

  join(send: Send): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ send, resolve, reject });
    if (!this.#isGoing) void this.#goOn();
    return promise;
  }

  async #goOn(): Promise<void> {
    this.#isGoing = true;
    while (this.#waiting.length > 0) {
      // Whatever else has come in by now goes along.
      if (Date.now() - this.#wentAt < busyMs) await scheduler.wait(0);
      await soon(Promise.allSettled(this.#start(this.#waiting.splice(0, groupMax))));
      this.#wentAt = Date.now();
    }
    this.#isGoing = false;
  }

  #start(group: readonly Waiting<Send, Result>[]): (Result | Promise<Result>)[] {
    try {
      const results = this.#go(group.map(({ send }) => send));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
      return results;
    } catch (error) {
      // One that cannot be decided about must not take the others with it.
      if (group.length > 1) return group.flatMap((one) => this.#start([one]));
      group[0]?.reject(error);
      return [];
    }
  }
}

/** Waits for the work, but no longer than {@link patienceMs}. */
async function soon(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
