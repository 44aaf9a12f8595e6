import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import type { AppEnv, Caller } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { findUserByEmail } from '../../features/account/rows/accounts.ts';
import { findMember, findSignedIn } from '../../features/people/rows/sessions.ts';
import { showLimits } from '../../http/answer/rate-limit-headers.ts';
import { askAccount } from '../../object-calls.ts';
import { verifyToken } from '../tokens/dashboard-token.ts';
import { isOutsideToken, outsideEmail } from '../tokens/outside-token.ts';
import { bearerToken, hashSecretToken } from '../tokens/secret-token.ts';
import { checkRefusal, type FailureKind, failedCheck, noteEnded, noteGood } from './failed-checks.ts';

export type UserCaller = Extract<Caller, { kind: 'user' }>;

/** A token that nobody has signed whom we trust is `forged`; one of a session that is over, or of nobody here, has `ended`. */
type Checked = { ok: true; caller: UserCaller } | { ok: false; kind: FailureKind } | Refusal;

const unauthenticated = () => refuse('UNAUTHENTICATED', 'Sign in: the token is missing, expired or invalid.');

/** Whoever presents a good token, within their rate. */
export async function callerByToken(c: Context<AppEnv>): Promise<{ ok: true; caller: UserCaller } | Refusal> {
  const token = bearerToken(c.req.header('Authorization'));
  if (token === null) return unauthenticated();
  const tokenHash = hashSecretToken(token);
  const refused = checkRefusal(c, tokenHash);
  if (refused !== null) return refused;
  const isOutside = isOutsideToken(c.env, token);
  const checked = isOutside ? await byOutsideToken(c, token) : await byOwnToken(c, token);
  if ('kind' in checked) {
    noteEnded(tokenHash);
    return failedCheck(c, checked.kind, unauthenticated());
  }
  if (checked.ok) noteGood(tokenHash);
  return checked;
}

/** A token is good for 15 minutes, but never longer than its session, or the membership that it was issued for. */
async function byOwnToken(c: Context<AppEnv>, token: string): Promise<Checked> {
  const claims = await verifyToken(c.env, token);
  if (claims === null) return { ok: false, kind: 'forged' };
  const waits = knownWait(claims);
  if (waits !== null) return waits;
  const [now, tooFast] = await Promise.all([
    findSignedIn(openDatabase(c.env.DB), claims, Date.now()),
    takeForPerson(c, claims),
  ]);
  if (now === null) return { ok: false, kind: 'ended' };
  return tooFast ?? { ok: true, caller: { kind: 'user', ...claims, ...now } };
}

/** The provider vouches for an e-mail address; it knows nothing of accounts, so `X-Account-Id` may name one. */
async function byOutsideToken(c: Context<AppEnv>, token: string): Promise<Checked> {
  const email = await outsideEmail(c.env, token);
  if (email === null) return { ok: false, kind: 'forged' };
  const named = c.req.header('X-Account-Id');
  if (named !== undefined && !uuidSchema.safeParse(named).success) return { ok: false, kind: 'ended' };
  const db = openDatabase(c.env.DB);
  const user = await findUserByEmail(db, email);
  const member = user && (await findMember(db, user.id, named));
  if (!member) return { ok: false, kind: 'ended' };
  const { id: accountId, role } = member.account;
  const caller: UserCaller = {
    kind: 'user',
    accountId,
    userId: member.user.id,
    email,
    role,
    sessionId: null,
    confirmedAt: null,
  };
  return knownWait(caller) ?? (await takeForPerson(c, caller)) ?? { ok: true, caller };
}

type Person = Pick<UserCaller, 'accountId' | 'userId'>;

/** Who is over their rate, as this isolate was told: they reach nothing until then. */
const waitingUntil = new LRUCache<string, { until: number; refusal: Refusal }>({ max: 10_000 });
const nameOf = ({ accountId, userId }: Person) => `${accountId}:${userId}`;

function knownWait(person: Person): Refusal | null {
  const waits = waitingUntil.get(nameOf(person));
  return waits !== undefined && waits.until > Date.now() ? waits.refusal : null;
}

/** The account's object keeps the bucket of each of its people. */
async function takeForPerson(c: Context<AppEnv>, person: Person): Promise<Refusal | null> {
  const { userId, accountId } = person;
  const { refusal, limits } = await askAccount(c.env, accountId, (account) => account.takeForPerson(userId));
  showLimits(c, limits);
  if (refusal === null) return null;
  const until = Date.now() + (refusal.retryAfterSeconds ?? 1) * 1000;
  waitingUntil.set(nameOf(person), { until, refusal });
  return refusal;
}

/** Whether the person who opened a stream is still signed in, and may still administrate the account. */
export async function personStands(env: Env, caller: UserCaller): Promise<boolean> {
  const role = await roleNow(env, caller);
  return role === 'owner' || role === 'admin';
}

/** Whether the person who opened a stream is still signed in, and of the account, as what they were. */
export const isStillSignedIn = async (env: Env, caller: UserCaller): Promise<boolean> =>
  (await roleNow(env, caller)) === caller.role;

async function roleNow(env: Env, caller: UserCaller) {
  const { userId, accountId, sessionId } = caller;
  const db = openDatabase(env.DB);
  return sessionId === null
    ? (await findMember(db, userId, accountId))?.account.role
    : (await findSignedIn(db, { userId, accountId, sessionId }, Date.now()))?.role;
}
