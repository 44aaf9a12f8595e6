import { isoTime } from '../../../contract/times.ts';
import { newEventId } from '../../new-ids.ts';
import type { DeviceTroubles } from '../alerts/device-troubles.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { DeviceRecord, Fact } from '../facts.ts';
import type { OwnPhones } from '../messages/own-phones.ts';

/** What the changes of devices bring about. Each change has a revision that rises, so that it is told once. */
export class Devices {
  readonly #sql: SqlStorage;
  readonly #phones: OwnPhones;
  readonly #troubles: DeviceTroubles;

  constructor(sql: SqlStorage, phones: OwnPhones, troubles: DeviceTroubles) {
    this.#sql = sql;
    this.#phones = phones;
    this.#troubles = troubles;
  }

  changed({ device, at, isNews, pairing }: Extract<Fact, { kind: 'device.changed' }>): EventDraft[] {
    const { numberId, revision, phoneNumber } = device;
    const query = 'SELECT revision FROM devices WHERE number_id = ?';
    const last = this.#sql.exec<{ revision: number }>(query, numberId).toArray()[0]?.revision ?? -1;
    if (revision <= last) return [];
    this.#sql.exec(
      'INSERT OR REPLACE INTO devices (number_id, revision, away_since) VALUES (?, ?, ?)',
      numberId,
      revision,
      this.#troubles.changed(device, at),
    );
    this.#phones.note(phoneNumber, numberId);
    const drafts = isNews ? deviceEvents(device, at) : [];
    if (pairing === undefined) return drafts;
    return [...drafts, { id: newEventId(), event: 'device.pairing', data: { numberId, ...pairing } }];
  }
}

/** The event, if any, that a new state of a device means for the outside. */
function deviceEvents(device: DeviceRecord, at: number): EventDraft[] {
  const { numberId, phoneNumber, state } = device;
  if (phoneNumber === null) return [];
  const id = newEventId();
  const reason = device.reason ?? '';
  switch (state) {
    case 'connected': {
      const connectedAt = isoTime(device.connectedAt ?? at);
      return [{ id, event: 'device.connected', data: { numberId, phoneNumber, connectedAt } }];
    }
    case 'disconnected': {
      const lastSeenAt = isoTime(device.lastSeenAt ?? at);
      return [{ id, event: 'device.disconnected', data: { numberId, phoneNumber, reason, lastSeenAt } }];
    }
    case 'logged_out':
    case 'banned':
      return [{ id, event: 'device.logged_out', data: { numberId, phoneNumber, reason } }];
    case 'pairing':
    case 'unpaired':
      return [];
  }
}
