import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv, Caller } from '../app-env.ts';
import { renderRefusal } from '../http/answer/refusal-response.ts';
import { marked } from './guards.ts';

/** So long a password, or a code of the second factor, stands for who is there; milliseconds. */
export const stepUpMs = (c: Context<AppEnv>): number => settingsOf(c.env).STEP_UP_SECONDS * 1000;

/**
 * The refusal of a sensitive action by a person who has not confirmed their identity for a while; null if they have. A person
 * with a token of an identity provider has no password here, so the provider decides how fresh the sign-in is.
 */
export function stepUpRefusal(c: Context<AppEnv>): Refusal | null {
  if (!c.get('mayAskForStepUp')) throw new Error('a route asks for a step-up, and is not marked so');
  // The operator's token is nobody's who could.
  const caller: Caller | undefined = c.get('caller');
  if (caller?.kind !== 'user' || caller.sessionId === null) return null;
  if (Date.now() - (caller.confirmedAt ?? 0) < stepUpMs(c)) return null;
  const message = 'Confirm your identity with your password or a two-factor code, then repeat the request.';
  return refuse('STEP_UP_REQUIRED', message, {
    details: [{ confirmAt: '/v1/auth/step-up', withinSeconds: stepUpMs(c) / 1000 }],
  });
}

/** For routes that are dangerous whatever they are sent. Behind the check of who asks. */
export const steppedUp: MiddlewareHandler<AppEnv> = marked({ stepUp: 'always' }, async (c, next) => {
  c.set('mayAskForStepUp', true);
  const refusal = stepUpRefusal(c);
  return refusal === null ? next() : renderRefusal(c, refusal);
});

/** For routes where some of what they are sent is dangerous: those ask {@link stepUpRefusal} themselves. */
export const sometimesSteppedUp: MiddlewareHandler<AppEnv> = marked({ stepUp: 'sometimes' }, (c, next) => {
  c.set('mayAskForStepUp', true);
  return next();
});
