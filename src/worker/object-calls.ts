import { logOf } from '../durable/event-log/log-of.ts';

const attemptsMax = 3;
const firstWaitMs = 20;

/**
 * Calls an object, and a second time if it was reset during the call (a deployment, a move) and the platform says that a
 * repeat may help. Only for calls that are safe to repeat. An overloaded object is not called again.
 */
async function repeatable<Result>(call: () => Result): Promise<Awaited<Result>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
      if (!retryable || overloaded || attempt === attemptsMax) throw error;
      await scheduler.wait(Math.random() * firstWaitMs * 2 ** attempt);
    }
  }
}

/** How a kind of object is called, by its name, where the call is safe to repeat. */
const asking =
  <Needed, Stub>(stubOf: (env: Needed, name: string) => Stub) =>
  <Result>(env: Needed, name: string, call: (stub: Stub) => Result): Promise<Awaited<Result>> =>
    // A broken stub stays broken: each attempt takes a new one.
    repeatable(() => call(stubOf(env, name)));

export const askAccount = asking((env: Pick<Env, 'ACCOUNT'>, accountId) => env.ACCOUNT.getByName(accountId));
export const askLog = asking(logOf);
export const askAuditLog = asking((env: Env, accountId) => env.AUDIT_LOG.getByName(accountId));
export const askRequestLog = asking((env: Env, accountId) => env.REQUEST_LOG.getByName(accountId));
/** What an account's assistants know. */
export const askKnowledge = asking((env: Env, accountId) => env.KNOWLEDGE.getByName(accountId));
export const askNumber = asking((env: Env, numberId) => env.PHONE_NUMBER.getByName(numberId));
