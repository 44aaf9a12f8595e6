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
import type { Family, Sample } from './open-metrics.ts';

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
 * How the deployment does, of what its database, its queues and its fleets know: no account's object is woken for it. The
 * figures of a part that does not answer are left out, and `heliograph_up` of that part is 0.
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
    {
      kind: 'gauge',
      name: 'heliograph_build_info',
      help: 'The release that answers.',
      samples: [{ labels: { release }, value: 1 }],
    },
    {
      kind: 'gauge',
      name: 'heliograph_up',
      help: 'Whether this part of the gateway answers.',
      samples: Object.entries(up).map(([part, answer]) => ({
        labels: { part },
        value: answer === null ? 0 : 1,
      })),
    },
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
    'media-fetches': env.MEDIA_FETCHES,
    assistants: env.ASSISTANTS,
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
    {
      kind: 'gauge',
      name: 'heliograph_accounts',
      help: 'Accounts, by plan.',
      samples: totals.accountsByPlan.map(({ plan, accounts }) => ({ labels: { plan }, value: accounts })),
    },
    {
      kind: 'gauge',
      name: 'heliograph_numbers',
      help: 'Numbers of all accounts, paired or not.',
      samples: one(totals.numbers),
    },
    {
      kind: 'gauge',
      name: 'heliograph_api_keys',
      help: 'API keys that are not revoked.',
      samples: one(totals.apiKeys),
    },
    {
      kind: 'gauge',
      name: 'heliograph_webhooks',
      help: 'Webhooks, by whether people have them switched on.',
      samples: [
        { labels: { enabled: 'true' }, value: totals.webhooksOn },
        { labels: { enabled: 'false' }, value: totals.webhooksOff },
      ],
    },
    {
      kind: 'gauge',
      name: 'heliograph_accounts_to_refresh',
      help: 'Accounts whose objects may not have read their last change yet. It does not stay above 0.',
      samples: one(totals.accountsToRefresh),
    },
    {
      kind: 'gauge',
      name: 'heliograph_audit_entries_waiting',
      help: 'Entries that no audit log has taken yet. It does not stay above 0.',
      samples: one(totals.auditEntriesWaiting),
    },
  ];
}

const backupGauge = ({ completedAt, since }: NightlyState, now: number): Family => ({
  kind: 'gauge',
  name: 'heliograph_backup_age_seconds',
  help: 'How long ago the last nightly backup was complete; before the first one, since when they are to be made.',
  samples: one(Math.max(0, now - (completedAt ?? since)) / 1000),
});

const fillingGauge = (bytes: readonly number[]): Family => ({
  kind: 'gauge',
  name: 'heliograph_logs_filling',
  help: 'Accounts whose log takes more than so many percent of what an object may hold.',
  samples: fillLevels.map((percent) => ({
    labels: { percent },
    value: bytes.filter((one) => one * 100 >= sizeLimits.objectBytes * percent).length,
  })),
});

const sealedGauge = ({ current, previous, unknown }: SealedCounts): Family => ({
  kind: 'gauge',
  name: 'heliograph_sealed_entries',
  help: 'Secrets of customers, by the sealing key that they are under. There while that key is being replaced.',
  samples: Object.entries({ current, previous, unknown }).map(([key, value]) => ({ labels: { key }, value })),
});

function queueGauges(backlogs: readonly Backlog[], now: number): Family[] {
  const each = (value: (metrics: QueueMetrics) => number): Sample[] =>
    backlogs.map(({ queue, metrics }) => ({ labels: { queue }, value: value(metrics) }));
  return [
    {
      kind: 'gauge',
      name: 'heliograph_queue_messages',
      help: 'Messages that wait in the queue, those that wait for their time included.',
      samples: each(({ backlogCount }) => backlogCount),
    },
    {
      kind: 'gauge',
      name: 'heliograph_queue_backlog_bytes',
      unit: 'bytes',
      help: 'Their size.',
      samples: each(({ backlogBytes }) => backlogBytes),
    },
    {
      kind: 'gauge',
      name: 'heliograph_queue_oldest_message_age_seconds',
      unit: 'seconds',
      help: 'How long the oldest of them has waited; 0 where the platform does not tell.',
      samples: each(({ oldestMessageTimestamp }) => secondsSince(oldestMessageTimestamp, now)),
    },
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
    {
      kind: 'gauge',
      name: 'heliograph_numbers_waiting',
      help: 'Numbers that want a session bridge and have none, by region.',
      samples: fleets.map(({ region, waitingNumbers }) => ({
        labels: { region: region ?? 'none' },
        value: waitingNumbers,
      })),
    },
    {
      kind: 'gauge',
      name: 'heliograph_bridges',
      help: 'Session bridges, by region and state.',
      samples: fleets.flatMap(({ region }) =>
        (['linked', 'away', 'expired'] as const).map((state) => ({
          labels: { region: region ?? 'none', state },
          value: all.filter((bridge) => bridge.region === region && bridge.state === state).length,
        })),
      ),
    },
    {
      kind: 'gauge',
      name: 'heliograph_bridge_linked',
      help: 'Whether this session bridge is there. Its labels say what it is.',
      samples: inUse.map(({ bridgeId, name, region, release, version, state }) => ({
        labels: {
          bridge_id: bridgeId,
          name: name ?? '',
          region: region ?? 'none',
          release: release ?? '',
          protocol: version ?? '',
        },
        value: state === 'linked' ? 1 : 0,
      })),
    },
    {
      kind: 'gauge',
      name: 'heliograph_bridge_draining',
      help: 'Whether it takes no more numbers.',
      samples: each(({ draining }) => (draining ? 1 : 0)),
    },
    {
      kind: 'gauge',
      name: 'heliograph_bridge_numbers',
      help: 'Numbers that it drives.',
      samples: each(({ leases }) => leases),
    },
    {
      kind: 'gauge',
      name: 'heliograph_bridge_capacity',
      help: 'Numbers that it drives at most.',
      samples: each(({ capacity }) => capacity),
    },
    {
      kind: 'gauge',
      name: 'heliograph_bridge_resident_memory_bytes',
      unit: 'bytes',
      help: 'Memory of its process, as it said last.',
      samples: each(({ residentBytes }) => residentBytes),
    },
    {
      kind: 'gauge',
      name: 'heliograph_bridge_sessions_open',
      help: 'Sessions that it has open with the network, as it said last.',
      samples: each(({ counts }) => counts?.openSessions ?? null),
    },
    {
      kind: 'counter',
      name: 'heliograph_bridge_logins',
      help: 'Logins of paired numbers since its process began, by what came of them.',
      samples: byReason('result', (counts) => ({ opened: 0, ...counts.logins })),
    },
    {
      kind: 'counter',
      name: 'heliograph_bridge_connections_lost',
      help: 'Open sessions that ended since its process began, by why.',
      samples: byReason('reason', (counts) => counts.losses),
    },
    {
      kind: 'counter',
      name: 'heliograph_bridge_repeated_sends',
      help: 'Messages that it handed to the network once more since its process began.',
      samples: each(({ counts }) => counts?.repeatedSends ?? null),
    },
  ];
}
