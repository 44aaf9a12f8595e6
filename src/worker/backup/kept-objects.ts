import { accountMigrations } from '../../durable/account/migrations.ts';
import { auditLogMigrations } from '../../durable/audit-log/migrations.ts';
import type { BackedUpObject } from '../../durable/backup/backed-up-object.ts';
import { fleetRegions } from '../../durable/bridge-fleet/fleet-of.ts';
import { bridgeFleetMigrations } from '../../durable/bridge-fleet/migrations.ts';
import { campaignMigrations } from '../../durable/campaign/migrations.ts';
import { eventLogMigrations } from '../../durable/event-log/migrations.ts';
import { knowledgeMigrations } from '../../durable/knowledge/migrations.ts';
import { phoneNumberMigrations } from '../../durable/phone-number/migrations.ts';
import { requestLogMigrations } from '../../durable/request-log/migrations.ts';
import type { ObjectMigration } from '../../durable/storage/object-migrations.ts';

/**
 * The objects in a backup, and the steps of their schemas. The hosts of callbacks are not included: they only share out
 * callbacks in progress.
 */
const kinds = {
  CAMPAIGN: campaignMigrations,
  ACCOUNT: accountMigrations,
  PHONE_NUMBER: phoneNumberMigrations,
  EVENT_LOG: eventLogMigrations,
  AUDIT_LOG: auditLogMigrations,
  REQUEST_LOG: requestLogMigrations,
  KNOWLEDGE: knowledgeMigrations,
  PHONE_REGISTRY: [],
  SIGN_IN_GUARD: [],
  BRIDGE_FLEET: bridgeFleetMigrations,
} as const satisfies Partial<Record<keyof Env, readonly ObjectMigration[]>>;

export type ObjectKind = keyof typeof kinds;
export const objectKinds = Object.keys(kinds) as [ObjectKind, ...ObjectKind[]];

/** The steps of each schema that this release knows, in their order. */
export const knownSteps = (): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, steps]) => [
      kind,
      (steps as readonly ObjectMigration[]).map(({ id }) => id),
    ]),
  );

export interface KeptObject {
  kind: ObjectKind;
  name: string;
  /** Null: it is nobody's alone. */
  accountId: string | null;
}

/**
 * The objects that the configuration knows, in the order of copying: a giver before its receiver. What is handed over
 * meanwhile is then in both copies instead of in none. Only numbers know the objects of phones.
 */
export async function keptObjects(env: Env): Promise<KeptObject[]> {
  const read = async (query: string) =>
    (await env.DB.prepare(query).all<{ id: string; account: string }>()).results;
  const [accounts, campaigns, numbers, knowing, guarded] = await Promise.all([
    read('SELECT id, id AS account FROM accounts ORDER BY id'),
    read('SELECT id, account_id AS account FROM campaigns ORDER BY id'),
    read('SELECT id, account_id AS account FROM numbers ORDER BY id'),
    read('SELECT DISTINCT account_id AS id, account_id AS account FROM assistants'),
    read('SELECT user_id AS id, user_id AS account FROM two_factors'),
  ]);
  const own = accounts.flatMap(({ id: accountId }): KeptObject[] => {
    const of = (kind: ObjectKind, rows: { id: string; account: string }[]) =>
      rows.filter(({ account }) => account === accountId).map(({ id }) => ({ kind, name: id, accountId }));
    return [
      ...of('CAMPAIGN', campaigns),
      ...of('ACCOUNT', accounts),
      ...of('PHONE_NUMBER', numbers),
      ...of('EVENT_LOG', accounts),
      ...of('AUDIT_LOG', accounts),
      ...of('REQUEST_LOG', accounts),
      ...of('KNOWLEDGE', knowing),
    ];
  });
  return [
    ...own,
    ...guarded.map(({ id }) => ({ kind: 'SIGN_IN_GUARD' as const, name: `codes:${id}`, accountId: null })),
    ...fleetRegions(env).map((region) => ({
      kind: 'BRIDGE_FLEET' as const,
      name: region === null ? 'fleet' : `fleet/${region}`,
      accountId: null,
    })),
  ];
}

/** An object that is to be copied. */
export const objectToCopy = (env: Env, kind: ObjectKind, name: string): Pick<BackedUpObject, 'backUp'> =>
  (env[kind] as DurableObjectNamespace<BackedUpObject>).getByName(name) as unknown as BackedUpObject;
