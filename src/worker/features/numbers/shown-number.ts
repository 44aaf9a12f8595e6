import { defaultStoredSession } from '../../../contract/bridge/session-settings.ts';
import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import {
  defaultPacing,
  type Filters,
  openFilters,
  type Pacing,
} from '../../../contract/numbers/sender-settings.ts';
import { isoTime } from '../../../contract/times.ts';
import type { SenderLoad } from '../../../durable/account/senders/sender.ts';
import type { Health, SenderReport } from '../../../durable/hand-over/number-news.ts';
import { askAccount, askNumber } from '../../object-calls.ts';
import type { NumberRow } from './rows.ts';

const deviceOf = (env: Env, numberId: string) => askNumber(env, numberId, (number) => number.device());
type Device = Pick<SenderReport, 'state' | 'phoneNumber' | 'reason' | 'connectedAt' | 'lastSeenAt'>;

const show = (
  row: Pick<NumberRow, 'id' | 'label' | 'inPool' | 'pacing' | 'filters' | 'session' | 'teamIds'>,
  device: Device,
  health: Health,
  load: SenderLoad | undefined,
) => ({
  numberId: row.id,
  label: row.label,
  phoneNumber: device.phoneNumber,
  state: device.state,
  health: health.status,
  /** Until when the health keeps it from sending, as far as that is known. */
  healthUntil: isoTime(health.until),
  pacing: pacingOf(row),
  filters: filtersOf(row),
  inPool: row.inPool,
  ...shownSession(row),
  teamIds: row.teamIds,
  waiting: load?.waiting ?? 0,
  dailyRemaining: load?.dailyRemaining ?? null,
  connectedAt: isoTime(device.connectedAt),
  // It may have been stored before the clock was set back.
  lastSeenAt: isoTime(device.lastSeenAt && Math.min(device.lastSeenAt, Date.now())),
  reason: device.reason ?? health.reason,
});

export const pacingOf = (row: Pick<NumberRow, 'pacing'>): Pacing => ({ ...defaultPacing, ...row.pacing });
export const filtersOf = (row: Pick<NumberRow, 'filters'>): Filters => ({ ...openFilters, ...row.filters });
export const sessionOf = (row: Pick<NumberRow, 'session'>) => ({ ...defaultStoredSession, ...row.session });

function shownSession(row: Pick<NumberRow, 'session'>) {
  const { sealedProxyUrl: _, shownProxyUrl: proxyUrl, ...plain } = sessionOf(row);
  return { ...plain, proxyUrl };
}

/** What a PATCH can change. */
export const configuredOf = (row: NumberRow) => [
  row.label,
  row.inPool,
  pacingOf(row),
  filtersOf(row),
  sessionOf(row),
  row.teamIds,
];

/** As the number's own object has it now. */
export async function showLive(env: Env, row: NumberRow) {
  const [device, health, loads] = await Promise.all([
    deviceOf(env, row.id),
    askNumber(env, row.id, (number) => number.health()),
    askAccount(env, row.accountId, (account) => account.senderLoads()),
  ]);
  return show(row, device, health, loads[row.id]);
}

/** Of a number that has never reported to its account. */
const unpaired: Device & { health: Health } = {
  state: 'unpaired',
  phoneNumber: null,
  reason: null,
  connectedAt: null,
  lastSeenAt: null,
  health: { status: 'unavailable', reason: reasonSentence('no_device'), until: null },
};

/** The list asks no number: it shows what the account was last told, and so is behind `GET /:id` by a report at most. */
export function showReported(
  row: NumberRow,
  reported: (Device & { health: Health }) | undefined,
  load: SenderLoad | undefined,
) {
  const device = reported ?? unpaired;
  return show(row, device, device.health, load);
}
