import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { invalidField, refuse } from '../../../../contract/errors.ts';
import { newUuid } from '../../../../durable/new-ids.ts';
import type { AppEnv } from '../../../app-env.ts';
import { anybody, operatorOrNewcomer } from '../../../auth/callers.ts';
import { choosePassword } from '../../../auth/chosen-password.ts';
import { isOperator } from '../../../auth/operator.ts';
import { takeAttempt } from '../../../auth/sign-in-attempts.ts';
import { hashSecretToken, newSecretToken } from '../../../auth/tokens/secret-token.ts';
import { openDatabase } from '../../../db/database.ts';
import { afterAnswer } from '../../../http/after-answer.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { publicUrl } from '../../../http/public-url.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import {
  emailSchema,
  mailedNameSchema,
  mailedTokenSchema,
  newPasswordSchema,
} from '../../../http/request/shared-fields.ts';
import { knownSignUpLetter, signUpLetter, signUpLink } from '../../../mail/letters.ts';
import { sendMail, takeMail } from '../../../mail/mailer.ts';
import { createAccount, findUserByEmail } from '../../account/rows/accounts.ts';
import { auditSource } from '../../audit-log/audit-context.ts';
import type { identitySchema, verificationSentSchema } from '../records.ts';
import { insertMailedToken, takeSignUp } from '../rows/mailed-tokens.ts';

export const signUpRoutes = new Hono<AppEnv>();

const signUpLifetimeMs = 24 * 3600 * 1000;

const signUpSchema = z.strictObject({
  email: emailSchema,
  password: newPasswordSchema.optional(),
  name: mailedNameSchema,
  accountName: mailedNameSchema,
});
interface NewOwner {
  email: string;
  name: string;
  accountName: string;
}

/** The operator, who holds `BOOTSTRAP_TOKEN`, creates an account and its owner; others only where `SIGNUP` is `open`. */
signUpRoutes.post('/', operatorOrNewcomer, jsonBody(signUpSchema), async (c) => {
  const { password, ...owner } = c.req.valid('json');
  return (await isOperator(c)) ? signUpByOperator(c, owner, password) : signUpByOneself(c, owner, password);
});

/** With a password the account is there at once; without one its owner chooses it, by the link. */
async function signUpByOperator(c: Context<AppEnv>, owner: NewOwner, password: string | undefined) {
  if (password === undefined) {
    const db = openDatabase(c.env.DB);
    if ((await findUserByEmail(db, owner.email)) !== null) return renderRefusal(c, taken);
    const token = await newSignUpToken(c.env, owner);
    const mail = await sendMail(c.env, signUpLetter(owner.email, publicUrl(c), token), c.get('requestId'));
    const link = mail === 'sent' ? {} : { link: signUpLink(publicUrl(c), token) };
    return c.json<z.infer<typeof verificationSentSchema>>({ status: 'verification_sent', ...link }, 202);
  }
  const chosen = await choosePassword(c.env, password, 'password');
  return chosen.ok ? openAccount(c, owner, chosen.passwordHash) : renderRefusal(c, chosen);
}

/** Whether the address has a user is told to its owner alone: the answer is the same, and does not wait. */
async function signUpByOneself(c: Context<AppEnv>, owner: NewOwner, password: string | undefined) {
  if (password !== undefined) {
    return renderRefusal(c, invalidField('password', 'The password is chosen with the link in the e-mail.'));
  }
  const budget = await takeMail(c, { kind: 'sign_up', to: owner.email });
  if (!budget.ok) return renderRefusal(c, budget);
  // Who has had enough keeps the link that was mailed last: it stays good.
  if (!budget.hadEnough) {
    const [baseUrl, requestId] = [publicUrl(c), c.get('requestId')];
    afterAnswer(c, 'sign_up.failed', () => confirmByMail(c.env, baseUrl, requestId, owner));
  }
  return c.json<z.infer<typeof verificationSentSchema>>({ status: 'verification_sent' }, 202);
}

async function confirmByMail(env: Env, baseUrl: string, requestId: string, owner: NewOwner): Promise<void> {
  const { email } = owner;
  const isKnown = (await findUserByEmail(openDatabase(env.DB), email)) !== null;
  const letter = isKnown
    ? knownSignUpLetter(email, baseUrl)
    : signUpLetter(email, baseUrl, await newSignUpToken(env, owner));
  await sendMail(env, letter, requestId);
}

/** For this address, in place of an earlier one. */
async function newSignUpToken(env: Env, { email, ...signUp }: NewOwner): Promise<string> {
  const token = newSecretToken();
  const row = { tokenHash: hashSecretToken(token), email, signUp, expiresAt: Date.now() + signUpLifetimeMs };
  await insertMailedToken(openDatabase(env.DB), { purpose: 'sign_up', ...row });
  return token;
}

const verifyBody = jsonBody(z.strictObject({ token: mailedTokenSchema, password: newPasswordSchema }));

/** The address has proved to be theirs: its owner chooses the password, and the account is opened. */
signUpRoutes.post('/verify', anybody, verifyBody, async (c) => {
  const attempt = await takeAttempt(c, null);
  if (!attempt.ok) return renderRefusal(c, attempt);
  const { token, password } = c.req.valid('json');
  // Before the link is used up: who is refused chooses another one.
  const chosen = await choosePassword(c.env, password, 'password');
  if (!chosen.ok) return renderRefusal(c, chosen);
  const owner = await takeSignUp(openDatabase(c.env.DB), hashSecretToken(token), Date.now());
  if (owner === null) return renderRefusal(c, refuse('UNAUTHENTICATED', 'This link is no longer valid.'));
  await attempt.succeeded();
  return openAccount(c, owner, chosen.passwordHash);
});

const taken = refuse('CONFLICT', 'A user with this e-mail address already exists.');

async function openAccount(c: Context<AppEnv>, owner: NewOwner, passwordHash: string): Promise<Response> {
  const { email, name, accountName } = owner;
  const [userId, accountId] = [newUuid(), newUuid()];
  const row = { userId, accountId, email, name, accountName, passwordHash };
  if (!(await createAccount(row, Date.now(), auditSource(c)))) {
    return renderRefusal(c, taken);
  }
  c.get('log').accountId = accountId;
  const account = { id: accountId, name: accountName, role: 'owner' as const };
  return c.json<z.infer<typeof identitySchema>>({ user: { id: userId, email, name }, account }, 201);
}
