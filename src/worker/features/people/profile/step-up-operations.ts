import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../../contract/errors.ts';
import type { AppEnv } from '../../../app-env.ts';
import { personOf, signedIn } from '../../../auth/callers.ts';
import { confirmPassword } from '../../../auth/confirm-password.ts';
import { checkSecondFactor } from '../../../auth/second-factor.ts';
import { stepUpMs } from '../../../auth/step-up.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { passwordSchema } from '../../../http/request/shared-fields.ts';
import { invalidField } from '../../../http/request/validation-details.ts';
import type { confirmedSchema } from '../records.ts';
import { confirmSession } from '../rows/sessions.ts';
import { findTwoFactor } from '../rows/two-factors.ts';

/** Somebody who is signed in shows once more that it is them, before a dangerous act. */
export const stepUpRoutes = new Hono<AppEnv>();

/** Exactly one of both. */
const stepUpSchema = z.strictObject({
  password: passwordSchema.optional(),
  code: z.string().max(40).optional(),
});

stepUpRoutes.post('/', signedIn, jsonBody(stepUpSchema), async (c) => {
  const { password, code } = c.req.valid('json');
  const { userId, email, sessionId } = personOf(c);
  if (sessionId === null) {
    return renderRefusal(
      c,
      refuse('CONFLICT', 'With the token of an identity provider there is no need to.'),
    );
  }
  if ((password === undefined) === (code === undefined)) {
    return renderRefusal(c, invalidField('password', 'Either the password or a code, not both.'));
  }
  const db = openDatabase(c.env.DB);
  if (password !== undefined) {
    const problem = await confirmPassword(c, password, 'password');
    if (problem !== null) return renderRefusal(c, problem);
  } else {
    const factor = await findTwoFactor(db, userId);
    if (factor === null || factor.confirmedAt === null) {
      return renderRefusal(c, refuse('CONFLICT', 'Two-factor is off: use the password.'));
    }
    const checked = await checkSecondFactor(c, { id: userId, email }, code);
    if (!checked.ok) {
      const { code: problem, details } = checked;
      // Who asks is signed in, so a wrong code is no 401 here.
      const wrong = refuse('FORBIDDEN', 'The code is wrong.', { ...(details && { details }) });
      return renderRefusal(c, problem === 'UNAUTHENTICATED' ? wrong : checked);
    }
  }
  const now = Date.now();
  await confirmSession(db, sessionId, now);
  return c.json<z.infer<typeof confirmedSchema>>({
    confirmedUntil: new Date(now + stepUpMs(c)).toISOString(),
  });
});
