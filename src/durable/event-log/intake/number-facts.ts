import type { EventData } from '../../../contract/events.ts';
import { isoTime } from '../../../contract/times.ts';
import type { DeviceTroubles } from '../alerts/troubles.ts';
import { type EventDraft, newEvent } from '../events/event-draft.ts';
import type { DeviceRecord, FactOf } from '../facts.ts';
import type { LogState } from '../log-state.ts';
import type { OwnPhones } from '../messages/own-phones.ts';

/** So many of the last calls are known again. */
const callsKept = 100;

/** A call to one of the account's numbers: the network may tell of one several times. */
export function callReceived({ numberId, call }: FactOf<'call.received'>, state: LogState): EventDraft[] {
  const known = state.get<string[]>('calls.known') ?? [];
  const key = `${numberId} ${call.callId}`;
  if (known.includes(key)) return [];
  state.put('calls.known', [...known, key].slice(-callsKept));
  return [newEvent('call.received', { numberId, ...call })];
}

/** A device has changed. Each change has a revision that rises, so that it is told once. */
export function deviceChanged(
  { device, at, isNews, pairing }: FactOf<'device.changed'>,
  { sql, phones, troubles }: { sql: SqlStorage; phones: OwnPhones; troubles: DeviceTroubles },
): EventDraft[] {
  const { numberId, revision, phoneNumber } = device;
  const query = 'SELECT revision FROM devices WHERE number_id = ?';
  const last = sql.exec<{ revision: number }>(query, numberId).toArray()[0]?.revision ?? -1;
  if (revision <= last) return [];
  sql.exec(
    'INSERT OR REPLACE INTO devices (number_id, revision, away_since) VALUES (?, ?, ?)',
    ...[numberId, revision, troubles.changed(device, at)],
  );
  phones.note(phoneNumber, numberId);
  const drafts = isNews ? deviceEvents(device, at) : [];
  return pairing === undefined ? drafts : [...drafts, newEvent('device.pairing', { numberId, ...pairing })];
}

/** The event, if any, that a new state of a device means for the outside. */
function deviceEvents(device: DeviceRecord, at: number): EventDraft[] {
  const { numberId, phoneNumber, state } = device;
  if (phoneNumber === null) return [];
  const reason = device.reason ?? '';
  switch (state) {
    case 'connected': {
      const connectedAt = isoTime(device.connectedAt ?? at);
      return [newEvent('device.connected', { numberId, phoneNumber, connectedAt })];
    }
    case 'disconnected': {
      const lastSeenAt = isoTime(device.lastSeenAt ?? at);
      return [newEvent('device.disconnected', { numberId, phoneNumber, reason, lastSeenAt })];
    }
    case 'logged_out':
    case 'banned':
      return [newEvent('device.logged_out', { numberId, phoneNumber, reason })];
    case 'pairing':
    case 'unpaired':
      return [];
  }
}

/** A group has changed. Each change has a revision that rises with those of the number: it is told once. */
export function groupChanged(fact: FactOf<'group.changed'>, sql: SqlStorage): EventDraft[] {
  const { numberId, revision, groupId, subject, news } = fact;
  const isNews = sql.exec(
    `INSERT INTO group_revisions (number_id, revision) VALUES (?, ?) ON CONFLICT DO UPDATE
     SET revision = excluded.revision WHERE revision < excluded.revision RETURNING 1`,
    ...[numberId, revision],
  );
  if (isNews.toArray().length === 0) return [];
  const group = { numberId, groupId, subject };
  // Its event, and what of it the event tells beside the group.
  return news.map(({ event, ...told }) => newEvent(event, { ...group, ...told } as EventData<typeof event>));
}
