import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { renderRefusal } from '../http/answer/refusal-response.ts';

/** So long a password, or a code of the second factor, stands for who is there; milliseconds. */
export const stepUpMs = (c: Context<AppEnv>): number => settingsOf(c.env).STEP_UP_SECONDS * 1000;

/**
 * The refusal of a dangerous act by a person who has not shown for a while that it is them; null where they have. One
 * who came with the token of an identity provider has no password here: how fresh that is, is the provider's business.
 */
export function stepUpRefusal(c: Context<AppEnv>): Refusal | null {
  const caller = c.get('caller');
  if (caller.kind !== 'user' || caller.sessionId === null) return null;
  if (Date.now() - (caller.confirmedAt ?? 0) < stepUpMs(c)) return null;
  const message =
    'Confirm with your password or a code of your second factor that it is you, and repeat this.';
  return refuse('STEP_UP_REQUIRED', message, {
    details: [{ confirmAt: '/v1/auth/step-up', withinSeconds: stepUpMs(c) / 1000 }],
  });
}

/** For routes that are dangerous whatever they are sent. Behind the check of who asks. */
export const steppedUp: MiddlewareHandler<AppEnv> = async (c, next) => {
  const refusal = stepUpRefusal(c);
  return refusal === null ? next() : renderRefusal(c, refusal);
};
