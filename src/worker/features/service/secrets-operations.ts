import { Hono } from 'hono';
import { z } from 'zod';
import { invalidField } from '../../../contract/errors.ts';
import { fleetOf, fleetRegions } from '../../../durable/bridge-fleet/fleet-of.ts';
import type { AppEnv } from '../../app-env.ts';
import { operator } from '../../auth/callers.ts';
import { secretMarks } from '../../backup/secret-marks.ts';
import { openDatabase } from '../../db/database.ts';
import { countSealed } from '../../db/resealing.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { countKeysMadeBefore } from '../account/keys/rows.ts';
import { readTotals } from '../account/rows/accounts.ts';
import { bridgeState } from '../bridges/bridge-tokens.ts';
import { vaultsNotUnder } from '../bridges/outdated-vaults.ts';

/** What `npm run rotate` asks before it lets a secret go. Nothing here tells a secret. */
export const secretsRoutes = new Hono<AppEnv>();

/** Bridges that were let in before then and may come again. */
async function countBridgesLetInBefore(env: Env, at: number): Promise<number> {
  const now = Date.now();
  const fleets = await Promise.all(fleetRegions(env).map((region) => fleetOf(env, region).bridges()));
  return fleets
    .flat()
    .filter(
      (bridge) => (bridge.enrolledAt ?? 0) < at && ['linked', 'away'].includes(bridgeState(bridge, now)),
    ).length;
}

secretsRoutes.get('/', operator, async (c) => {
  const read = z.iso.datetime().safeParse(c.req.query('madeBefore') ?? new Date().toISOString());
  if (!read.success)
    return renderRefusal(c, invalidField('madeBefore', 'A time such as 2026-11-26T12:00:00Z.'));
  const at = Date.parse(read.data);
  const db = openDatabase(c.env.DB);
  const [sealed, { accountsToRefresh }, apiKeys, bridges] = await Promise.all([
    countSealed(c.env),
    readTotals(db),
    countKeysMadeBefore(db, at),
    countBridgesLetInBefore(c.env, at),
  ]);
  c.header('Cache-Control', 'no-store');
  return c.json({ marks: secretMarks(c.env), sealed, accountsToRefresh, madeBefore: { apiKeys, bridges } });
});

secretsRoutes.get('/vaults', operator, async (c) => {
  const beginning = c.req.query('beginning') ?? '';
  if (!/^([0-9a-f]{2}){1,32}$/.test(beginning))
    return renderRefusal(c, invalidField('beginning', 'Bytes as hexadecimal digits.'));
  c.header('Cache-Control', 'no-store');
  return c.json(await vaultsNotUnder(c.env, Buffer.from(beginning, 'hex'), c.req.query('after') ?? ''));
});
