import type { AccountState } from '../platform/account-state.ts';
import { mediaDays } from '../platform/account-state.ts';
import type { Resources } from './worker-config.ts';

/** What a run has to do. */
export interface Plan {
  makesDatabase: boolean;
  queues: string[];
  buckets: string[];
  setsExpiry: boolean;
  migrations: string[];
  secrets: string[];
  /** Why the Worker is uploaded; null: it is as it should be. */
  deploys: string | null;
}

export const firstTime = 'for the first time';

/** `migrations`: all of them, in their order. `tag`: of the code and the settings that are to run. */
export function planOf(
  state: AccountState,
  resources: Resources,
  migrations: readonly string[],
  tag: string,
): Plan {
  const queues = resources.queues.filter((name) => !state.queues.has(name));
  const buckets = resources.buckets.filter((name) => !state.buckets.has(name));
  const secrets = resources.secrets.filter((name) => !state.secrets.has(name));
  const isUnfinished =
    queues.length + buckets.length + secrets.length > 0 ||
    state.databaseId === null ||
    !state.hasAddress ||
    resources.consumed.some((name) => !state.consumed.has(name)) ||
    resources.crons.some((cron) => !state.crons.includes(cron));
  return {
    makesDatabase: state.databaseId === null,
    queues,
    buckets,
    setsExpiry: !state.mediaExpires,
    migrations: migrations.filter((name) => !state.appliedMigrations.has(name)),
    secrets,
    deploys: reasonOf(state.worker, tag, isUnfinished),
  };
}

function reasonOf(worker: AccountState['worker'], tag: string, isUnfinished: boolean): string | null {
  if (worker === null) return firstTime;
  if (worker.tag !== tag) return 'new code or settings';
  return isUnfinished ? 'an earlier run was not finished' : null;
}

/** What it has to do, a row each: what, and which. Empty where nothing is to be done. */
export function planRows(plan: Plan, resources: Resources, name: string): [string, string][] {
  const rows: [string, string, boolean][] = [
    ['database', resources.database.name, plan.makesDatabase],
    ['migrations', few(plan.migrations), plan.migrations.length > 0],
    ['queues', few(plan.queues), plan.queues.length > 0],
    ['buckets', few(plan.buckets), plan.buckets.length > 0],
    ['secrets', few(plan.secrets), plan.secrets.length > 0],
    ['Worker', `${name}, ${plan.deploys}`, plan.deploys !== null],
    ['rule', `files in ${resources.mediaBucket} are deleted after ${mediaDays} days`, plan.setsExpiry],
  ];
  return rows.flatMap(([what, which, isDone]) => (isDone ? [[what, which]] : []));
}

const few = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.length}: ${names.slice(0, 2).join(', ')} …`;
