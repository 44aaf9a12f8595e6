import { Hono } from 'hono';
import { z } from 'zod';
import { invalidField, refuse } from '../../../../contract/errors.ts';
import { newUuid } from '../../../../durable/new-ids.ts';
import { accessChanged } from '../../../access-changed.ts';
import type { AppEnv } from '../../../app-env.ts';
import { administrator, anybody, personOf, signedIn } from '../../../auth/callers.ts';
import { choosePassword } from '../../../auth/chosen-password.ts';
import { isOpenToNewUsers, isOperatorsAddress } from '../../../auth/operator.ts';
import { takeAttempt } from '../../../auth/sign-in-attempts.ts';
import { sometimesSteppedUp, stepUpRefusal } from '../../../auth/step-up.ts';
import { hashSecretToken, newSecretToken } from '../../../auth/tokens/secret-token.ts';
import { roomFor } from '../../../caps.ts';
import { configurationChanged } from '../../../configuration-changed.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { publicUrl } from '../../../http/public-url.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import {
  emailSchema,
  mailedNameSchema,
  mailedTokenSchema,
  newPasswordSchema,
  notFound,
  roleSchema,
  uuidPathId,
} from '../../../http/request/shared-fields.ts';
import { invitationLetter, invitationLink } from '../../../mail/letters.ts';
import { sendMail, takeMail } from '../../../mail/mailer.ts';
import { findUserByEmail } from '../../account/rows/accounts.ts';
import { auditOf, auditSource } from '../../audit-log/audit-context.ts';
import type { identitySchema } from '../records.ts';
import {
  acceptInvitation,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  withdrawInvitation,
} from '../rows/invitations.ts';
import { changeRole, findMemberRow, listMembers, removeMember } from '../rows/members.ts';
import { findMember } from '../rows/sessions.ts';
import type {
  createdInvitationSchema,
  invitationListSchema,
  memberListSchema,
  memberSchema,
} from './records.ts';

/** The people of an account. What changes here is effective with the next request of whoever it is about. */
export const memberRoutes = new Hono<AppEnv>();

const memberPath = uuidPathId('userId', 'member');
const ownersOnly = refuse('FORBIDDEN', 'Only an owner can add, change or remove an owner.');
const lastOwner = refuse('CONFLICT', 'An account always has an owner: make someone else an owner first.');

memberRoutes.get('/', administrator, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listMembers(openDatabase(c.env.DB), personOf(c).accountId, limit, cursor);
  return c.json<z.infer<typeof memberListSchema>>(page(c, rows, limit, (row) => row.userId));
});

const roleBody = jsonBody(z.strictObject({ role: roleSchema }));

memberRoutes.patch('/:userId', administrator, sometimesSteppedUp, memberPath, roleBody, async (c) => {
  const { accountId, role: ownRole } = personOf(c);
  const { role } = c.req.valid('json');
  const db = openDatabase(c.env.DB);
  const member = await findMemberRow(db, accountId, c.req.param('userId'));
  if (member === null) return renderRefusal(c, notFound('member'));
  if (ownRole !== 'owner' && (role === 'owner' || member.role === 'owner'))
    return renderRefusal(c, ownersOnly);
  if (member.role === role) return c.json<z.infer<typeof memberSchema>>(member);
  const stepUp = role === 'owner' || member.role === 'owner' ? stepUpRefusal(c) : null;
  if (stepUp !== null) return renderRefusal(c, stepUp);
  if (!(await changeRole(member, role, auditOf(c)))) return renderRefusal(c, lastOwner);
  await accessChanged(c.env, accountId);
  return c.json<z.infer<typeof memberSchema>>({ ...member, role });
});

/** Anybody may leave; an owner or admin may remove others. */
memberRoutes.delete('/:userId', signedIn, sometimesSteppedUp, memberPath, async (c) => {
  const { accountId, userId, role: ownRole } = personOf(c);
  const isSelf = c.req.param('userId') === userId;
  if (ownRole === 'agent' && !isSelf) {
    return renderRefusal(c, refuse('FORBIDDEN', 'Only an owner or an admin of the account can do this.'));
  }
  const db = openDatabase(c.env.DB);
  const member = await findMemberRow(db, accountId, c.req.param('userId'));
  if (member === null) return renderRefusal(c, notFound('member'));
  if (ownRole !== 'owner' && member.role === 'owner') return renderRefusal(c, ownersOnly);
  const stepUp = member.role === 'owner' ? stepUpRefusal(c) : null;
  if (stepUp !== null) return renderRefusal(c, stepUp);
  if (!(await removeMember(member, auditOf(c)))) return renderRefusal(c, lastOwner);
  // Rules may name them, and a team give them conversations.
  await Promise.all([configurationChanged(c.env, accountId), accessChanged(c.env, accountId)]);
  return c.body(null, 204);
});

export const invitationRoutes = new Hono<AppEnv>();

const lifetimeMs = 7 * 24 * 3600 * 1000;

const show = ({ id, email, role, createdAt, expiresAt }: InvitationRow) => ({
  id,
  email,
  role,
  createdAt: new Date(createdAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
});

const inviteBody = jsonBody(z.strictObject({ email: emailSchema, role: roleSchema }));

/**
 * The response is the same whether or not a user has this address. It says whether new users could accept, and refuses nobody
 * who could not. Inviting somebody again replaces the first invitation. The response has the outcome of the e-mail. If the
 * gateway sends no e-mail, an owner gets the link. The link proves who owns the address, so nobody else gets it, and nobody
 * does if e-mail is sent.
 */
invitationRoutes.post('/', administrator, sometimesSteppedUp, inviteBody, async (c) => {
  const { email, role } = c.req.valid('json');
  const { accountId, userId, role: ownRole } = personOf(c);
  if (role === 'owner' && ownRole !== 'owner') {
    return renderRefusal(c, refuse('FORBIDDEN', 'Only an owner can make someone an owner.'));
  }
  const stepUp = role === 'owner' ? stepUpRefusal(c) : null;
  if (stepUp !== null) return renderRefusal(c, stepUp);
  const room = await roomFor(c, 'members');
  if (!room.ok) return renderRefusal(c, room);
  // Each is an e-mail to somebody who has not asked for it.
  const budget = await takeMail(c, { kind: 'invitation', to: email, accountId });
  if (!budget.ok) return renderRefusal(c, budget);
  if (budget.hadEnough) {
    const { retryAfterSeconds } = budget;
    const told = 'Too many invitations to this address: try again later.';
    return renderRefusal(c, refuse('RATE_LIMITED', told, { retryAfterSeconds }));
  }
  const db = openDatabase(c.env.DB);
  const inviter = await findMember(db, userId, accountId);
  if (inviter === null) return renderRefusal(c, notFound('account'));
  const token = newSecretToken();
  const createdAt = Date.now();
  const row: InvitationRow = {
    id: newUuid(),
    accountId,
    email,
    role,
    invitedBy: userId,
    tokenHash: hashSecretToken(token),
    createdAt,
    expiresAt: createdAt + lifetimeMs,
  };
  await insertInvitation(row, auditOf(c));
  const invitation = { accountName: inviter.account.name, invitedBy: inviter.user.name, role };
  const letter = invitationLetter(email, publicUrl(c), token, invitation);
  const mail = await sendMail(c.env, letter, c.get('requestId'));
  const mayHaveLink = mail === 'not_configured' && ownRole === 'owner';
  const link = mayHaveLink && { link: invitationLink(publicUrl(c), token) };
  return c.json<z.infer<typeof createdInvitationSchema>>(
    { ...show(row), mail, openToNewUsers: isOpenToNewUsers(c.env), ...link },
    201,
  );
});

invitationRoutes.get('/', administrator, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listInvitations(openDatabase(c.env.DB), personOf(c).accountId, limit, cursor);
  return c.json<z.infer<typeof invitationListSchema>>(page(c, rows, limit, (row) => row.id, show));
});

invitationRoutes.delete('/:id', administrator, uuidPathId('id', 'invitation'), async (c) => {
  const { accountId } = personOf(c);
  const withdrawn = await withdrawInvitation(accountId, c.req.param('id'), auditOf(c));
  return withdrawn ? c.body(null, 204) : renderRefusal(c, notFound('invitation'));
});

const acceptSchema = z.strictObject({
  token: mailedTokenSchema,
  name: mailedNameSchema.optional(),
  password: newPasswordSchema.optional(),
});
const notValid = refuse('UNAUTHENTICATED', 'This invitation is no longer valid.');

/** The token has proved that the address is theirs: a user joins the account, and who is none becomes one first. */
invitationRoutes.post('/accept', anybody, jsonBody(acceptSchema), async (c) => {
  const attempt = await takeAttempt(c, null);
  if (!attempt.ok) return renderRefusal(c, attempt);
  const { token, name, password } = c.req.valid('json');
  const db = openDatabase(c.env.DB);
  const now = Date.now();
  const found = await findInvitation(db, hashSecretToken(token), now);
  if (found === null) return renderRefusal(c, notValid);
  await attempt.succeeded();
  const { email, accountId } = found.invitation;
  const user = await findUserByEmail(db, email);
  let newUser: { name: string; passwordHash: string } | null = null;
  if (user === null) {
    // Where no mail is sent the link proves nothing of the address, and this one bears rights of its own.
    if (!isOpenToNewUsers(c.env) || isOperatorsAddress(c.env, email)) {
      return renderRefusal(c, refuse('FORBIDDEN', 'Only the operator creates new users on this gateway.'));
    }
    if (name === undefined) return renderRefusal(c, invalidField('name', 'A new user needs a name.'));
    if (password === undefined) {
      return renderRefusal(c, invalidField('password', 'A new user needs a password.'));
    }
    const chosen = await choosePassword(c.env, password, 'password');
    if (!chosen.ok) return renderRefusal(c, chosen);
    newUser = { name, passwordHash: chosen.passwordHash };
  }
  const userId = user?.id ?? newUuid();
  const caller = { kind: 'user' as const, accountId, userId, email };
  const audit = { caller, ...auditSource(c) };
  const joined = await acceptInvitation(found.invitation, { userId, newUser }, now, audit);
  const member = joined ? await findMember(db, userId, accountId) : null;
  return member === null ? renderRefusal(c, notValid) : c.json<z.infer<typeof identitySchema>>(member);
});
