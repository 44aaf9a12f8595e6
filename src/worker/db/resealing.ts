import { logFault } from '../../durable/log.ts';
import { openSecret, sealingKeyIds, sealSecret } from '../../durable/sealed-secret.ts';
import { ownerOfTotp } from '../auth/totp.ts';
import { ownerOfHeaders } from '../features/webhooks/delivery/own-headers.ts';

/** Of one run of the cron, each of which is a minute after the one before. */
const resealedMax = 200;

interface Row {
  id: string;
  account: string | null;
  sealed: string;
}

/** How much is sealed, and under what. */
export interface SealedCounts {
  /** Under the key in use. */
  current: number;
  /** Under the key before it, or from before there were ids of keys: it is sealed anew. */
  previous: number;
  /** Under another key. Nothing that this gateway has opens it. */
  unknown: number;
}

const beginningLength = 9;
/** In SQL: whether it does not begin with what is bound. */
const isOutdated = (place: SealedPlace) =>
  `${sealedIn(place)} IS NOT NULL AND substr(${sealedIn(place)}, 1, ${beginningLength}) <> ?`;

/**
 * Reseals entries that are not under the current key, while a previous key is set. A call handles a limited number of entries
 * in any order, so an entry that does not open blocks no other. The cron tells the objects that have a copy, through the
 * revision of their account. Returns how many were resealed.
 */
export async function resealSome(env: Env, now: number, max = resealedMax): Promise<number> {
  if (!env.WEBHOOK_SEALING_KEY_PREVIOUS) return 0;
  let resealed = 0;
  for (const place of sealedPlaces) {
    const left = max - resealed;
    if (left <= 0) break;
    const { current } = sealingKeyIds(env);
    const { results } = await env.DB.prepare(
      `SELECT ${place.id} AS id, ${place.account ?? 'NULL'} AS account, ${sealedIn(place)} AS sealed
       FROM ${place.table} WHERE ${isOutdated(place)} ORDER BY random() LIMIT ?`,
    )
      .bind(`${current}.`, left)
      .all<Row>();
    resealed += await resealRows(env, place, results, now);
  }
  return resealed;
}

async function resealRows(env: Env, place: SealedPlace, rows: readonly Row[], now: number): Promise<number> {
  const statements: D1PreparedStatement[] = [];
  const accounts = new Set<string>();
  for (const { id, account, sealed } of rows) {
    try {
      const owner = place.ownerOf(id);
      const anew = await sealSecret(env, owner, await openSecret(env, owner, sealed));
      // What was changed meanwhile was sealed by whoever has changed it.
      const update = `UPDATE ${place.table} SET ${setsSealed(place)} WHERE ${place.id} = ? AND ${sealedIn(place)} = ?`;
      statements.push(env.DB.prepare(update).bind(anew, id, sealed));
      if (account !== null) accounts.add(account);
    } catch (error) {
      logFault('secret.not_resealed', error, { table: place.table, column: place.column, id });
    }
  }
  const resealed = statements.length;
  for (const account of accounts)
    statements.push(
      env.DB.prepare('UPDATE accounts SET revision = max(revision + 1, ?) WHERE id = ?').bind(now, account),
    );
  if (statements.length > 0) await env.DB.batch(statements);
  return resealed;
}

/** Looks at every entry: for the operator alone. */
export async function countSealed(env: Env): Promise<SealedCounts> {
  const { current, previous } = sealingKeyIds(env);
  const answers = await env.DB.batch<{ current: number; previous: number; total: number }>(
    sealedPlaces.map((place) => {
      const sealed = sealedIn(place);
      return env.DB.prepare(
        `SELECT count(*) AS total,
           coalesce(sum(substr(${sealed}, 1, ${beginningLength}) = ?1), 0) AS current,
           coalesce(sum(substr(${sealed}, 1, ${beginningLength}) = ?2 OR instr(${sealed}, '.') = 0), 0) AS previous
         FROM ${place.table} WHERE ${sealed} IS NOT NULL`,
      ).bind(`${current}.`, previous === null ? '' : `${previous}.`);
    }),
  );
  const counts = { current: 0, previous: 0, unknown: 0 };
  for (const { results } of answers)
    for (const row of results) {
      counts.current += row.current;
      counts.previous += row.previous;
      counts.unknown += row.total - row.current - row.previous;
    }
  return counts;
}

/** A column of D1 that holds what is sealed under `WEBHOOK_SEALING_KEY`. Every one of them stands here. */
interface SealedPlace {
  table: string;
  /** The column by which a row is found. */
  id: string;
  /** Whose objects have a copy of it; null: none has. */
  account: string | null;
  column: string;
  /** Where it stands within a column of JSON. */
  jsonPath?: string;
  /** For whom it is sealed, as `sealSecret` was told. */
  ownerOf: (id: string) => string;
}

const itself = (id: string) => id;
const ofAccount = { id: 'id', account: 'account_id', ownerOf: itself };

export const sealedPlaces: readonly SealedPlace[] = [
  { ...ofAccount, table: 'webhooks', column: 'sealed_secret' },
  { ...ofAccount, table: 'webhooks', column: 'previous_sealed_secret' },
  { ...ofAccount, table: 'webhooks', column: 'sealed_headers', ownerOf: ownerOfHeaders },
  { ...ofAccount, table: 'automations', column: 'sealed_secret' },
  { ...ofAccount, table: 'automations', column: 'previous_sealed_secret' },
  { ...ofAccount, table: 'assistants', column: 'sealed_secrets' },
  { ...ofAccount, table: 'alert_channels', column: 'sealed_target' },
  { ...ofAccount, table: 'numbers', column: 'session', jsonPath: '$.sealedProxyUrl' },
  { table: 'two_factors', id: 'user_id', account: null, column: 'sealed_secret', ownerOf: ownerOfTotp },
];

/** The sealed text of a place, in SQL. */
export const sealedIn = ({ column, jsonPath }: SealedPlace): string =>
  jsonPath === undefined ? column : `json_extract(${column}, '${jsonPath}')`;

/** What sets it, to the one value that is bound. */
const setsSealed = ({ column, jsonPath }: SealedPlace): string =>
  jsonPath === undefined ? `${column} = ?` : `${column} = json_set(${column}, '${jsonPath}', ?)`;
