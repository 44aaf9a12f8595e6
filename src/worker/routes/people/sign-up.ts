import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../contract/errors.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { isOperator } from '../../auth/operator.ts';
import { hashPassword } from '../../auth/password.ts';
import { takeAttempt } from '../../auth/sign-in-attempts.ts';
import { hashSecretToken, newSecretToken } from '../../auth/tokens/secret-token.ts';
import { createAccount, findUserByEmail } from '../../db/accounts.ts';
import { openDatabase } from '../../db/database.ts';
import { insertSignUpToken, takeSignUp } from '../../db/people/mailed-tokens.ts';
import { afterAnswer } from '../../http/after-answer.ts';
import { publicUrl } from '../../http/public-url.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { jsonBody } from '../../http/request/json-body.ts';
import { emailSchema, mailedTokenSchema, newPasswordSchema } from '../../http/request/person-fields.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { knownSignUpLetter, signUpLetter } from '../../mail/letters.ts';
import { sendMail } from '../../mail/mailer.ts';
import { auditSource } from '../audit-context.ts';

export const signUpRoutes = new Hono<AppEnv>();

const signUpLifetimeMs = 24 * 3600 * 1000;

const signUpSchema = z.strictObject({
  email: emailSchema,
  password: newPasswordSchema,
  name: nameSchema,
  accountName: nameSchema,
});
type SignUp = z.output<typeof signUpSchema>;

/** The operator, who holds `BOOTSTRAP_TOKEN`, creates an account and its owner; others only where `SIGNUP` is `open`. */
signUpRoutes.post(
  '/',
  async (c, next) => {
    const isOpen = c.env.SIGNUP === 'open' && c.req.header('Authorization') === undefined;
    if (isOpen || isOperator(c)) return next();
    return renderRefusal(c, refuse('UNAUTHENTICATED', 'Only the operator creates accounts here.'));
  },
  jsonBody(signUpSchema),
  async (c) => {
    const signUp = c.req.valid('json');
    if (isOperator(c))
      return openAccount(c, { ...signUp, passwordHash: await hashPassword(signUp.password) });
    const attempt = await takeAttempt(c, signUp.email);
    if (!attempt.ok) return renderRefusal(c, attempt);
    // Whether the address has a user is told to its owner alone: the answer is the same, and does not wait.
    afterAnswer(c, 'sign_up.failed', () => confirmByMail(c.env, publicUrl(c), c.get('requestId'), signUp));
    return c.json({ status: 'verification_sent' }, 202);
  },
);

async function confirmByMail(env: Env, baseUrl: string, requestId: string, signUp: SignUp): Promise<void> {
  const { email, password, name, accountName } = signUp;
  const db = openDatabase(env.DB);
  if ((await findUserByEmail(db, email)) !== null) {
    return sendMail(env, knownSignUpLetter(email, baseUrl), requestId);
  }
  const token = newSecretToken();
  await insertSignUpToken(db, {
    tokenHash: hashSecretToken(token),
    signUp: { email, name, accountName, passwordHash: await hashPassword(password) },
    expiresAt: Date.now() + signUpLifetimeMs,
  });
  return sendMail(env, signUpLetter(email, baseUrl, token), requestId);
}

/** The address has proved to be theirs: the account is opened. */
signUpRoutes.post('/verify', jsonBody(z.strictObject({ token: mailedTokenSchema })), async (c) => {
  const attempt = await takeAttempt(c, null);
  if (!attempt.ok) return renderRefusal(c, attempt);
  const tokenHash = hashSecretToken(c.req.valid('json').token);
  const signUp = await takeSignUp(openDatabase(c.env.DB), tokenHash, Date.now());
  if (signUp === null) return renderRefusal(c, refuse('UNAUTHENTICATED', 'This link is not valid any more.'));
  await attempt.succeeded();
  return openAccount(c, signUp);
});

async function openAccount(
  c: Context<AppEnv>,
  signUp: Omit<SignUp, 'password'> & { passwordHash: string },
): Promise<Response> {
  const { email, name, accountName, passwordHash } = signUp;
  const [userId, accountId] = [newUuid(), newUuid()];
  const owner = { userId, accountId, email, name, accountName, passwordHash };
  if (!(await createAccount(openDatabase(c.env.DB), owner, Date.now(), auditSource(c)))) {
    return renderRefusal(c, refuse('CONFLICT', 'There is a user with this e-mail address already.'));
  }
  c.get('log').accountId = accountId;
  const account = { id: accountId, name: accountName, role: 'owner' };
  return c.json({ user: { id: userId, email, name }, account }, 201);
}
