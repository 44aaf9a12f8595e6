import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../../contract/errors.ts';
import type { AppEnv } from '../../../app-env.ts';
import { administrator, personOf, signedIn } from '../../../auth/callers.ts';
import { sometimesSteppedUp, stepUpRefusal } from '../../../auth/step-up.ts';
import { configurationChanged } from '../../../configuration-changed.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../../http/request/path-id.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { roleSchema } from '../../../http/request/shared-fields.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import { changeRole, findMemberRow, listMembers, removeMember } from '../rows/members.ts';
import type { memberListSchema, memberSchema } from './records.ts';

/** The people of an account. What changes here is effective with the next request of whoever it is about. */
export const memberRoutes = new Hono<AppEnv>();

const memberPath = uuidPathId('userId', 'member');
const ownersOnly = refuse('FORBIDDEN', 'Only an owner makes, changes or removes an owner.');
const lastOwner = refuse('CONFLICT', 'An account always has an owner: make someone else an owner first.');

memberRoutes.get('/', administrator, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listMembers(openDatabase(c.env.DB), personOf(c).accountId, limit, cursor);
  return c.json<z.infer<typeof memberListSchema>>(
    page(
      rows,
      limit,
      (row) => row.userId,
      (row) => row,
    ),
  );
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
  if (!(await changeRole(db, member, role, auditOf(c)))) return renderRefusal(c, lastOwner);
  return c.json<z.infer<typeof memberSchema>>({ ...member, role });
});

/** Anybody may leave; an owner or admin may remove others. */
memberRoutes.delete('/:userId', signedIn, sometimesSteppedUp, memberPath, async (c) => {
  const { accountId, userId, role: ownRole } = personOf(c);
  const isSelf = c.req.param('userId') === userId;
  if (ownRole === 'agent' && !isSelf) {
    return renderRefusal(c, refuse('FORBIDDEN', 'Only an owner or an admin of the account may do this.'));
  }
  const db = openDatabase(c.env.DB);
  const member = await findMemberRow(db, accountId, c.req.param('userId'));
  if (member === null) return renderRefusal(c, notFound('member'));
  if (ownRole !== 'owner' && member.role === 'owner') return renderRefusal(c, ownersOnly);
  const stepUp = member.role === 'owner' ? stepUpRefusal(c) : null;
  if (stepUp !== null) return renderRefusal(c, stepUp);
  if (!(await removeMember(db, member, auditOf(c)))) return renderRefusal(c, lastOwner);
  // Rules may name them, and a team give them conversations.
  await configurationChanged(c.env, accountId);
  return c.body(null, 204);
});
