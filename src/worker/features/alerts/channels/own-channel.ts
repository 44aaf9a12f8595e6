import type { Context } from 'hono';
import { isoTime } from '../../../../contract/times.ts';
import type { AlertChannelState } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import type { AppEnv } from '../../../app-env.ts';
import { openDatabase } from '../../../db/database.ts';
import { notFound, uuidPathId } from '../../../http/request/shared-fields.ts';
import { askLog } from '../../../object-calls.ts';
import { type AlertChannelRow, findAlertChannel, memberAddresses } from '../rows/alert-channels.ts';

export const noSuchChannel = notFound('alert channel');
export const channelPath = uuidPathId('id', 'alert channel');

/** The channel that the path names, when it belongs to the caller's account. */
export const ownChannel = (c: Context<AppEnv>): Promise<AlertChannelRow | null> =>
  findAlertChannel(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

/** Whether e-mails leave this gateway, or are caught for who tries it. */
const canMail = (env: Env): boolean => {
  const { SMTP_HOST, MAIL_CATCHER_URL } = settingsOf(env);
  return SMTP_HOST !== undefined || MAIL_CATCHER_URL !== undefined;
};

type State = 'ready' | 'off' | 'unconfirmed' | 'no_mail_server';

function stateOf(env: Env, row: AlertChannelRow, members: ReadonlySet<string>): State {
  if (!row.enabled) return 'off';
  if (row.kind !== 'email') return 'ready';
  if (!canMail(env)) return 'no_mail_server';
  return isAgreed(row, members) ? 'ready' : 'unconfirmed';
}

/** Whether alerts may be mailed there: to people of the account, and to who has said so. */
export const isAgreed = (row: AlertChannelRow, members: ReadonlySet<string>): boolean =>
  row.kind !== 'email' || row.confirmedAt !== null || members.has(String(row.shownTarget));

/** Which of the channels' addresses are those of people of the account. */
export function membersAmong(c: Context<AppEnv>, rows: readonly AlertChannelRow[]) {
  const emails = rows.flatMap(({ kind, shownTarget }) => (kind === 'email' ? [String(shownTarget)] : []));
  return memberAddresses(openDatabase(c.env.DB), c.get('caller').accountId, emails);
}

/** What people have set, and how the channels do. */
export async function showChannels(c: Context<AppEnv>, rows: readonly AlertChannelRow[]) {
  const ids = rows.map(({ id }) => id);
  const [members, states] = await Promise.all([
    membersAmong(c, rows),
    ids.length === 0 ? [] : askLog(c.env, c.get('caller').accountId, (log) => log.alertChannelStates(ids)),
  ]);
  const byId = new Map(states.map((state) => [state.channelId, state]));
  return rows.map((row) => show(c.env, row, members, byId.get(row.id)));
}

export async function showChannel(c: Context<AppEnv>, row: AlertChannelRow) {
  const [members, states] = await Promise.all([
    membersAmong(c, [row]),
    askLog(c.env, c.get('caller').accountId, (log) => log.alertChannelStates([row.id])),
  ]);
  return show(c.env, row, members, states[0]);
}

function show(
  env: Env,
  row: AlertChannelRow,
  members: ReadonlySet<string>,
  state: AlertChannelState | undefined,
) {
  return {
    channelId: row.id,
    kind: row.kind,
    name: row.name,
    target: row.shownTarget,
    kinds: row.kinds ?? ('all' as const),
    numberIds: row.numberIds ?? ('all' as const),
    digest: row.digest,
    enabled: row.enabled,
    state: stateOf(env, row, members),
    lastDeliveryAt: isoTime(state?.lastDeliveryAt),
    lastError: state?.lastError ?? null,
    createdAt: isoTime(row.createdAt),
  };
}
