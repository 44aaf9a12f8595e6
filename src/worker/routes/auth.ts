import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../contract/errors.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { signedIn } from '../auth/callers.ts';
import { issueToken, publicKeys } from '../auth/dashboard-token.ts';
import {
  hashPassword,
  passwordCharactersMax,
  passwordCharactersMin,
  passwordMatches,
} from '../auth/password.ts';
import { bearerToken, secretEqual } from '../auth/secret-equal.ts';
import { createAccount, findMember, findUserByEmail } from '../db/accounts.ts';
import { openDatabase } from '../db/database.ts';
import { jsonBody } from '../http/json-body.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { nameSchema } from '../http/shared-fields.ts';

export const authRoutes = new Hono<AppEnv>();

/** Lower case, as it is stored and looked up. */
const emailSchema = z.string().max(254).trim().toLowerCase().pipe(z.email());

const signUpSchema = z.strictObject({
  email: emailSchema,
  password: z.string().min(passwordCharactersMin).max(passwordCharactersMax),
  name: nameSchema,
  accountName: nameSchema,
});

/** Creates an account and its owner: for the operator, who holds `BOOTSTRAP_TOKEN`. */
authRoutes.post(
  '/sign-up',
  async (c, next) => {
    if (secretEqual(bearerToken(c.req.header('Authorization')) ?? '', c.env.BOOTSTRAP_TOKEN)) return next();
    return renderRefusal(c, refuse('UNAUTHENTICATED', 'Only the operator creates accounts here.'));
  },
  jsonBody(signUpSchema),
  async (c) => {
    const { email, password, name, accountName } = c.req.valid('json');
    const [userId, accountId] = [newUuid(), newUuid()];
    const passwordHash = await hashPassword(password);
    const owner = { userId, accountId, email, name, accountName, passwordHash };
    if (!(await createAccount(openDatabase(c.env.DB), owner, Date.now()))) {
      return renderRefusal(c, refuse('CONFLICT', 'There is a user with this e-mail address already.'));
    }
    c.get('log').accountId = accountId;
    return c.json(
      { user: { id: userId, email, name }, account: { id: accountId, name: accountName, role: 'owner' } },
      201,
    );
  },
);

const loginSchema = z.strictObject({
  email: z.string().max(254).trim().toLowerCase(),
  password: z.string().max(passwordCharactersMax),
});

/** A wrong password and an unknown address get the same answer, after the same time. */
authRoutes.post('/login', jsonBody(loginSchema), async (c) => {
  const { email, password } = c.req.valid('json');
  const db = openDatabase(c.env.DB);
  const user = await findUserByEmail(db, email);
  const matches = await passwordMatches(password, user?.passwordHash ?? null);
  const member = user !== null && matches ? await findMember(db, user.id) : null;
  if (member === null) {
    return renderRefusal(c, refuse('UNAUTHENTICATED', 'The e-mail address or the password is wrong.'));
  }
  const claims = { userId: member.user.id, accountId: member.account.id, role: member.account.role };
  c.get('log').accountId = claims.accountId;
  return c.json({ ...(await issueToken(c.env.JWT_PRIVATE_KEY, claims, Date.now())), ...member });
});

authRoutes.get('/me', signedIn, async (c) => {
  const caller = c.get('caller');
  const member =
    caller.kind === 'user' ? await findMember(openDatabase(c.env.DB), caller.userId, caller.accountId) : null;
  if (member === null) return renderRefusal(c, refuse('UNAUTHENTICATED', 'This user is no longer there.'));
  return c.json(member);
});

authRoutes.get('/jwks', async (c) => {
  c.header('Cache-Control', 'public, max-age=3600');
  return c.json(await publicKeys(c.env.JWT_PRIVATE_KEY));
});
