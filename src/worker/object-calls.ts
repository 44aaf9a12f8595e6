import type { Account } from '../durable/account/account.ts';
import type { AuditLog } from '../durable/audit-log/audit-log.ts';
import type { EventLog } from '../durable/event-log/event-log.ts';
import { logOf } from '../durable/event-log/log-of.ts';
import type { Knowledge } from '../durable/knowledge/knowledge.ts';
import type { PhoneNumber } from '../durable/phone-number/phone-number.ts';
import type { RequestLog } from '../durable/request-log/request-log.ts';

const attemptsMax = 3;
const firstWaitMs = 20;

/**
 * Calls an object, and once more when it was reset under the call (a deployment, a move) and the platform says that a
 * repeat may help. Only for calls that are safe to repeat. An overloaded object is not asked again.
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

// A broken stub stays broken: each attempt takes a new one.

/** A call to an account's object that is safe to repeat. */
export function askAccount<Result>(
  env: Pick<Env, 'ACCOUNT'>,
  accountId: string,
  call: (account: DurableObjectStub<Account>) => Result,
): Promise<Awaited<Result>> {
  return repeatable(() => call(env.ACCOUNT.getByName(accountId)));
}

/** A call to an account's log that is safe to repeat. */
export function askLog<Result>(
  env: Env,
  accountId: string,
  call: (log: DurableObjectStub<EventLog>) => Result,
): Promise<Awaited<Result>> {
  return repeatable(() => call(logOf(env, accountId)));
}

/** A call to an account's audit log that is safe to repeat. */
export function askAuditLog<Result>(
  env: Env,
  accountId: string,
  call: (log: DurableObjectStub<AuditLog>) => Result,
): Promise<Awaited<Result>> {
  return repeatable(() => call(env.AUDIT_LOG.getByName(accountId)));
}

/** A call to an account's request log that is safe to repeat. */
export function askRequestLog<Result>(
  env: Env,
  accountId: string,
  call: (log: DurableObjectStub<RequestLog>) => Result,
): Promise<Awaited<Result>> {
  return repeatable(() => call(env.REQUEST_LOG.getByName(accountId)));
}

/** A call to what an account's assistants know that is safe to repeat. */
export function askKnowledge<Result>(
  env: Env,
  accountId: string,
  call: (knowledge: DurableObjectStub<Knowledge>) => Result,
): Promise<Awaited<Result>> {
  return repeatable(() => call(env.KNOWLEDGE.getByName(accountId)));
}

/** A call to a number's object that is safe to repeat. */
export function askNumber<Result>(
  env: Env,
  numberId: string,
  call: (number: DurableObjectStub<PhoneNumber>) => Result,
): Promise<Awaited<Result>> {
  return repeatable(() => call(env.PHONE_NUMBER.getByName(numberId)));
}
