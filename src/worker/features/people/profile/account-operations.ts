import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../../contract/errors.ts';
import { uuidSchema } from '../../../../contract/ids.ts';
import type { AppEnv } from '../../../app-env.ts';
import { personOf, signedIn } from '../../../auth/callers.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { notFound } from '../../../http/request/path-id.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { listAccounts } from '../../account/rows/accounts.ts';
import type { accountListSchema, signedInSchema } from '../records.ts';
import { findMember, moveSession } from '../rows/sessions.ts';
import { tokenAnswer } from '../sign-in/sign-in-answer.ts';

/** The accounts of whoever is signed in. */
export const accountRoutes = new Hono<AppEnv>();

accountRoutes.get('/accounts', signedIn, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { userId, accountId } = personOf(c);
  const rows = await listAccounts(openDatabase(c.env.DB), userId, limit, cursor);
  const show = (row: (typeof rows)[number]) => ({ ...row, current: row.id === accountId });
  return c.json<z.infer<typeof accountListSchema>>(page(rows, limit, (row) => row.id, show));
});

const switchSchema = z.strictObject({ accountId: uuidSchema.toLowerCase() });

/** A token for another of the person's accounts; the session stays, and its next refresh is for that account too. */
accountRoutes.post('/switch-account', signedIn, jsonBody(switchSchema), async (c) => {
  const { userId, sessionId } = personOf(c);
  if (sessionId === null) {
    return renderRefusal(
      c,
      refuse('CONFLICT', 'With the token of an identity provider, name the account in X-Account-Id.'),
    );
  }
  const db = openDatabase(c.env.DB);
  const member = await findMember(db, userId, c.req.valid('json').accountId);
  if (member === null) return renderRefusal(c, notFound('account'));
  await moveSession(db, sessionId, member.account.id);
  return c.json<z.infer<typeof signedInSchema>>(await tokenAnswer(c, member, sessionId));
});
