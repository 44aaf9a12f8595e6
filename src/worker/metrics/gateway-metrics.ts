import type { BridgeCounts } from '../../contract/bridge/bridge-counts.ts';
import { release } from '../../contract/release.ts';
import { type FleetRegion, fleetOf, fleetRegions } from '../../durable/bridge-fleet/fleet-of.ts';
import type { ShownBridge } from '../../durable/bridge-fleet/verbs/operator-verbs.ts';
import { fillLevels, sizeLimits } from '../../durable/event-log/archive/fullness.ts';
import { type NightlyState, readNightlyState } from '../backup/nightly/nightly-state.ts';
import { openDatabase } from '../db/database.ts';
import { countSealed, type SealedCounts } from '../db/resealing.ts';
import { readTotals, type Totals } from '../features/account/rows/accounts.ts';
import { bridgeState } from '../features/bridges/bridge-tokens.ts';
import { askPart } from './asked-part.ts';
import { countFamilies } from './count-families.ts';
import { counter, type Family, gauge, type Sample } from './open-metrics.ts';

/** What one region's fleet knows. */
interface Fleet {
  region: FleetRegion;
  bridges: ShownBridge[];
  waitingNumbers: number;
}

interface Backlog {
  queue: string;
  metrics: QueueMetrics;
}

/**
 * The state of the deployment, from its database, its queues and its fleets: no account's object is woken for it. If a part
 * does not respond, its figures are left out, and `heliograph_up` of that part is 0.
 */
export async function gatewayMetrics(env: Env, now: number): Promise<Family[]> {
  const [totals, sealed, backup, backlogs, fleets, counts, filling] = await Promise.all([
    askPart('database', () => readTotals(openDatabase(env.DB))),
    // It looks at every entry: only while the key is being replaced.
    env.WEBHOOK_SEALING_KEY_PREVIOUS ? askPart('database', () => countSealed(env)) : null,
    env.BACKUP_RECIPIENT
      ? askPart('backup', async () => ({ known: await readNightlyState(env) }))
      : undefined,
    askPart('queue', () => readBacklogs(env)),
    askPart('bridges', () => readFleets(env)),
    askPart('counts', () => fleetOf(env, null).counts()),
    askPart('logs', () => fleetOf(env, null).fillingLogs()),
  ]);
  const up = { database: totals, queue: backlogs, bridges: fleets, ...(backup !== undefined && { backup }) };
  return [
    gauge('heliograph_build_info', 'The release that answers.', [{ labels: { release }, value: 1 }]),
    gauge(
      'heliograph_up',
      'Whether this part of the gateway answers.',
      Object.entries(up).map(([part, answer]) => ({
        labels: { part },
        value: answer === null ? 0 : 1,
      })),
    ),
    ...(totals === null ? [] : configurationGauges(totals)),
    ...(sealed === null ? [] : [sealedGauge(sealed)]),
    ...(backup?.known ? [backupGauge(backup.known.state, now)] : []),
    ...(backlogs === null ? [] : queueGauges(backlogs, now)),
    ...(fleets === null ? [] : fleetGauges(fleets, now)),
    ...(filling === null ? [] : [fillingGauge(filling)]),
    ...(counts === null ? [] : countFamilies(counts)),
  ];
}

function readBacklogs(env: Env): Promise<Backlog[]> {
  const queues = {
    'webhook-deliveries': env.WEBHOOK_DELIVERIES,
    alerts: env.ALERTS,
    automations: env.AUTOMATIONS,
  };
  return Promise.all(
    Object.entries(queues).map(async ([queue, binding]) => ({ queue, metrics: await binding.metrics() })),
  );
}

const readFleets = (env: Env): Promise<Fleet[]> =>
  Promise.all(
    fleetRegions(env).map(async (region) => {
      const fleet = fleetOf(env, region);
      const [bridges, waitingNumbers] = await Promise.all([fleet.bridges(), fleet.waitingNumbers()]);
      return { region, bridges, waitingNumbers };
    }),
  );

const one = (value: number): Sample[] => [{ value }];

function configurationGauges(totals: Totals): Family[] {
  return [
    gauge(
      'heliograph_accounts',
      'Accounts, by plan.',
      totals.accountsByPlan.map(({ plan, accounts }) => ({ labels: { plan }, value: accounts })),
    ),
    gauge('heliograph_numbers', 'Numbers of all accounts, paired or not.', one(totals.numbers)),
    gauge('heliograph_api_keys', 'API keys that are not revoked.', one(totals.apiKeys)),
    gauge('heliograph_webhooks', 'Webhooks, by whether people have them switched on.', [
      { labels: { enabled: 'true' }, value: totals.webhooksOn },
      { labels: { enabled: 'false' }, value: totals.webhooksOff },
    ]),
    gauge(
      'heliograph_accounts_to_refresh',
      'Accounts whose objects may not have read their last change yet. It does not stay above 0.',
      one(totals.accountsToRefresh),
    ),
    gauge(
      'heliograph_audit_entries_waiting',
      'Entries that no audit log has taken yet. It does not stay above 0.',
      one(totals.auditEntriesWaiting),
    ),
  ];
}

const backupGauge = ({ completedAt, since }: NightlyState, now: number): Family =>
  gauge(
    'heliograph_backup_age_seconds',
    'How long ago the last nightly backup was complete; before the first one, since when they are to be made.',
    one(Math.max(0, now - (completedAt ?? since)) / 1000),
  );

const fillingGauge = (bytes: readonly number[]): Family =>
  gauge(
    'heliograph_logs_filling',
    'Accounts whose log takes more than so many percent of what an object may hold.',
    fillLevels.map((percent) => ({
      labels: { percent },
      value: bytes.filter((one) => one * 100 >= sizeLimits.objectBytes * percent).length,
    })),
  );

const sealedGauge = ({ current, previous, unknown }: SealedCounts): Family =>
  gauge(
    'heliograph_sealed_entries',
    'Secrets of customers, by the sealing key that they are under. There while that key is being replaced.',
    Object.entries({ current, previous, unknown }).map(([key, value]) => ({ labels: { key }, value })),
  );

function queueGauges(backlogs: readonly Backlog[], now: number): Family[] {
  const each = (value: (metrics: QueueMetrics) => number): Sample[] =>
    backlogs.map(({ queue, metrics }) => ({ labels: { queue }, value: value(metrics) }));
  return [
    gauge(
      'heliograph_queue_messages',
      'Messages that wait in the queue, those that wait for their time included.',
      each(({ backlogCount }) => backlogCount),
    ),
    gauge(
      'heliograph_queue_backlog_bytes',
      'Their size.',
      each(({ backlogBytes }) => backlogBytes),
      'bytes',
    ),
    gauge(
      'heliograph_queue_oldest_message_age_seconds',
      'How long the oldest of them has waited; 0 where the platform does not tell.',
      each(({ oldestMessageTimestamp }) => secondsSince(oldestMessageTimestamp, now)),
      'seconds',
    ),
  ];
}

/** The platform gives the start of 1970 for a queue that is empty. */
const secondsSince = (at: Date | undefined, now: number) => {
  const since = at?.getTime() ?? 0;
  return since <= 0 ? 0 : Math.max(0, now - since) / 1000;
};

function fleetGauges(fleets: readonly Fleet[], now: number): Family[] {
  const all = fleets.flatMap(({ region, bridges }) =>
    bridges.map((bridge) => ({ ...bridge, region, state: bridgeState(bridge, now) })),
  );
  const inUse = all.filter(({ state }) => state !== 'revoked');
  const each = (value: (bridge: (typeof all)[number]) => number | null): Sample[] =>
    inUse.flatMap((bridge) => {
      const known = value(bridge);
      return known === null ? [] : [{ labels: { bridge_id: bridge.bridgeId }, value: known }];
    });
  const byReason = (label: string, figures: (counts: BridgeCounts) => Record<string, number>): Sample[] =>
    inUse.flatMap(({ bridgeId, counts }) =>
      Object.entries(counts === null ? {} : figures(counts)).map(([reason, value]) => ({
        labels: { bridge_id: bridgeId, [label]: reason },
        value,
      })),
    );
  return [
    gauge(
      'heliograph_numbers_waiting',
      'Numbers that want a session bridge and have none, by region.',
      fleets.map(({ region, waitingNumbers }) => ({
        labels: { region: region ?? 'none' },
        value: waitingNumbers,
      })),
    ),
    gauge(
      'heliograph_bridges',
      'Session bridges, by region and state.',
      fleets.flatMap(({ region }) =>
        (['linked', 'away', 'expired'] as const).map((state) => ({
          labels: { region: region ?? 'none', state },
          value: all.filter((bridge) => bridge.region === region && bridge.state === state).length,
        })),
      ),
    ),
    gauge(
      'heliograph_bridge_linked',
      'Whether this session bridge is there. Its labels say what it is.',
      inUse.map(({ bridgeId, name, region, release, version, state }) => ({
        labels: {
          bridge_id: bridgeId,
          name: name ?? '',
          region: region ?? 'none',
          release: release ?? '',
          protocol: version ?? '',
        },
        value: state === 'linked' ? 1 : 0,
      })),
    ),
    gauge(
      'heliograph_bridge_draining',
      'Whether it takes no more numbers.',
      each(({ draining }) => (draining ? 1 : 0)),
    ),
    gauge(
      'heliograph_bridge_numbers',
      'Numbers that it drives.',
      each(({ leases }) => leases),
    ),
    gauge(
      'heliograph_bridge_capacity',
      'Numbers that it drives at most.',
      each(({ capacity }) => capacity),
    ),
    gauge(
      'heliograph_bridge_resident_memory_bytes',
      'Memory of its process, as it said last.',
      each(({ residentBytes }) => residentBytes),
      'bytes',
    ),
    gauge(
      'heliograph_bridge_sessions_open',
      'Sessions that it has open with the network, as it said last.',
      each(({ counts }) => counts?.openSessions ?? null),
    ),
    counter(
      'heliograph_bridge_logins',
      'Logins of paired numbers since its process began, by what came of them.',
      byReason('result', (counts) => ({ opened: 0, ...counts.logins })),
    ),
    counter(
      'heliograph_bridge_connections_lost',
      'Open sessions that ended since its process began, by why.',
      byReason('reason', (counts) => counts.losses),
    ),
    counter(
      'heliograph_bridge_repeated_sends',
      'Messages that it handed to the network once more since its process began.',
      each(({ counts }) => counts?.repeatedSends ?? null),
    ),
  ];
}
