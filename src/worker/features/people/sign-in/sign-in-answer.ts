import type { Context } from 'hono';
import { newUuid } from '../../../../durable/new-ids.ts';
import type { AppEnv } from '../../../app-env.ts';
import { setRefreshCookie } from '../../../auth/cookies.ts';
import { isOperatorsAddress } from '../../../auth/operator.ts';
import { issueToken } from '../../../auth/tokens/dashboard-token.ts';
import { auditSource } from '../../audit-log/audit-context.ts';
import { type Member, sessionLifetimeMs, startSession } from '../rows/sessions.ts';

/** Who a member is to the gateway: `{user, account}`, and whether they run it. */
export const identityOf = (c: Context<AppEnv>, member: Member) => ({
  ...member,
  ...(isOperatorsAddress(c.env, member.user.email) && { isOperator: true as const }),
});

/** `{token, expiresAt, user, account}`: a token for a member, in this session. */
export async function tokenAnswer(c: Context<AppEnv>, member: Member, sessionId: string) {
  const { id: userId } = member.user;
  const { id: accountId, role } = member.account;
  Object.assign(c.get('log'), { accountId, userId });
  c.header('Cache-Control', 'no-store');
  const token = await issueToken(c.env.JWT_PRIVATE_KEY, { userId, accountId, role, sessionId }, Date.now());
  return { ...token, ...identityOf(c, member) };
}

const userAgentCharactersMax = 300;

/** Starts a session: its refresh cookie, and the answer with its first token. */
export async function signIn(c: Context<AppEnv>, member: Member) {
  const { user, account } = member;
  const now = Date.now();
  const id = newUuid();
  const caller = { kind: 'user' as const, accountId: account.id, userId: user.id, email: user.email };
  const userAgent = c.req.header('User-Agent')?.slice(0, userAgentCharactersMax) ?? null;
  await startSession({ id, member, userAgent, now }, { caller, ...auditSource(c) });
  await setRefreshCookie(c, { sessionId: id, generation: 1 }, now + sessionLifetimeMs);
  return tokenAnswer(c, member, id);
}
