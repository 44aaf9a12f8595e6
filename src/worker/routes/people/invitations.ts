import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../contract/errors.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, personOf } from '../../auth/callers.ts';
import { hashPassword } from '../../auth/password.ts';
import { takeAttempt } from '../../auth/sign-in-attempts.ts';
import { hashSecretToken, newSecretToken } from '../../auth/tokens/secret-token.ts';
import { findUserByEmail } from '../../db/accounts.ts';
import { openDatabase } from '../../db/database.ts';
import {
  acceptInvitation,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  withdrawInvitation,
} from '../../db/people/invitations.ts';
import { findMember } from '../../db/people/sessions.ts';
import { afterAnswer } from '../../http/after-answer.ts';
import { publicUrl } from '../../http/public-url.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { jsonBody } from '../../http/request/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import {
  emailSchema,
  mailedTokenSchema,
  newPasswordSchema,
  roleSchema,
} from '../../http/request/person-fields.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { invalidField } from '../../http/request/validation-details.ts';
import { invitationLetter } from '../../mail/letters.ts';
import { sendMail } from '../../mail/mailer.ts';
import { auditOf, auditSource } from '../audit-context.ts';

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

/** The answer is the same whether or not there is a user with this address. Inviting somebody again replaces the first. */
invitationRoutes.post('/', administrator, inviteBody, async (c) => {
  const { email, role } = c.req.valid('json');
  const { accountId, userId, role: ownRole } = personOf(c);
  if (role === 'owner' && ownRole !== 'owner') {
    return renderRefusal(c, refuse('FORBIDDEN', 'Only an owner makes an owner.'));
  }
  // Each is an e-mail to somebody who has not asked for it.
  const attempt = await takeAttempt(c, email);
  if (!attempt.ok) return renderRefusal(c, attempt);
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
    tokenHash: hashSecretToken(token),
    createdAt,
    expiresAt: createdAt + lifetimeMs,
  };
  await insertInvitation(db, row, auditOf(c));
  const invitation = { accountName: inviter.account.name, invitedBy: inviter.user.name, role };
  const letter = invitationLetter(email, publicUrl(c), token, invitation);
  const requestId = c.get('requestId');
  afterAnswer(c, 'invitation.failed', () => sendMail(c.env, letter, requestId));
  return c.json(show(row), 201);
});

invitationRoutes.get('/', administrator, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listInvitations(openDatabase(c.env.DB), personOf(c).accountId, limit, cursor);
  return c.json(page(rows, limit, (row) => row.id, show));
});

invitationRoutes.delete('/:id', administrator, uuidPathId('id', 'invitation'), async (c) => {
  const { accountId } = personOf(c);
  const db = openDatabase(c.env.DB);
  const withdrawn = await withdrawInvitation(db, accountId, c.req.param('id'), auditOf(c));
  return withdrawn ? c.body(null, 204) : renderRefusal(c, notFound('invitation'));
});

const acceptSchema = z.strictObject({
  token: mailedTokenSchema,
  name: nameSchema.optional(),
  password: newPasswordSchema.optional(),
});
const notValid = refuse('UNAUTHENTICATED', 'This invitation is not valid any more.');

/** The token has proved that the address is theirs: a user joins the account, and who is none becomes one first. */
invitationRoutes.post('/accept', jsonBody(acceptSchema), async (c) => {
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
    if (c.env.SIGNUP !== 'invite' && c.env.SIGNUP !== 'open') {
      return renderRefusal(c, refuse('FORBIDDEN', 'New users are created by the operator here.'));
    }
    if (name === undefined) return renderRefusal(c, invalidField('name', 'New here: a name is required.'));
    if (password === undefined) {
      return renderRefusal(c, invalidField('password', 'New here: a password is required.'));
    }
    newUser = { name, passwordHash: await hashPassword(password) };
  }
  const userId = user?.id ?? newUuid();
  const caller = { kind: 'user' as const, accountId, userId, email };
  const audit = { caller, ...auditSource(c) };
  const joined = await acceptInvitation(db, found.invitation, { userId, newUser }, now, audit);
  const member = joined ? await findMember(db, userId, accountId) : null;
  return member === null ? renderRefusal(c, notValid) : c.json(member);
});
