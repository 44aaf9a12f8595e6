import type { Context, MiddlewareHandler } from 'hono';
import type { NetworkQuery, QueryOf, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import type { Asked } from '../../../durable/phone-number/queries.ts';
import type { AppEnv } from '../../app-env.ts';
import { onlyNumberOf } from '../../auth/callers.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { findNumber, foreignNumbers, type NumberRow } from './rows.ts';

export const noSuchNumber = notFound('number');
export const numberPath = uuidPathId('id', 'number');

/** The number that the path names, when the caller may know of it. */
export async function ownNumber(c: Context<AppEnv>): Promise<NumberRow | null> {
  const id = c.req.param('id') ?? '';
  const only = onlyNumberOf(c);
  if (only !== null && only !== id) return null;
  return findNumber(openDatabase(c.env.DB), c.get('caller').accountId, id);
}

/** Lets through whoever may know of the number that the path names. */
export const knownNumber: MiddlewareHandler<AppEnv> = async (c, next) =>
  (await ownNumber(c)) === null ? renderRefusal(c, noSuchNumber) : next();

/** The refusal of `numberIds` that are not all numbers of the account. */
export async function foreignNumberRefusal(
  env: Pick<Env, 'DB'>,
  accountId: string,
  numberIds: string[] | 'all' | null | undefined,
): Promise<Refusal | null> {
  if (!Array.isArray(numberIds)) return null;
  const foreign = await foreignNumbers(openDatabase(env.DB), accountId, numberIds);
  const index = numberIds.findIndex((id) => foreign.includes(id));
  return index < 0 ? null : invalidField(`numberIds.${index}`, 'The account has no such number.');
}

/** Asks something of the network through a number. Not repeated: what is to change may have changed. */
export async function askNetwork<Verb extends QueryVerb>(
  c: Context<AppEnv>,
  query: QueryOf<Verb>,
): Promise<Asked<Verb>> {
  const number = c.env.PHONE_NUMBER.getByName(c.req.param('id') ?? '');
  const asked = await number.askNetwork(query as NetworkQuery);
  return asked as Asked<Verb>;
}
