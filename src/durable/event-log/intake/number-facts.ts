import type { EventData } from '../../../contract/events.ts';
import { isoTime } from '../../../contract/times.ts';
import { newEventId } from '../../new-ids.ts';
import { Tables } from '../../storage/rows.ts';
import type { DeviceTroubles } from '../alerts/troubles.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { DeviceRecord, Fact, GroupNews } from '../facts.ts';
import type { LogState } from '../log-state.ts';
import type { OwnPhones } from '../messages/own-phones.ts';

/** So many of the last calls are known again. */
const callsKept = 100;

/** Calls to the account's numbers: the network may tell of one several times. */
export class Calls {
  readonly #state: LogState;

  constructor(state: LogState) {
    this.#state = state;
  }

  /** Call it inside a transaction. */
  received({ numberId, call }: Extract<Fact, { kind: 'call.received' }>): EventDraft[] {
    const known = this.#state.get<string[]>('calls.known') ?? [];
    const key = `${numberId} ${call.callId}`;
    if (known.includes(key)) return [];
    this.#state.put('calls.known', [...known, key].slice(-callsKept));
    return [{ id: newEventId(), event: 'call.received', data: { numberId, ...call } }];
  }
}

/** What the changes of devices bring about. Each change has a revision that rises, so that it is told once. */
export class Devices extends Tables {
  readonly #phones: OwnPhones;
  readonly #troubles: DeviceTroubles;

  constructor(sql: SqlStorage, phones: OwnPhones, troubles: DeviceTroubles) {
    super(sql);
    this.#phones = phones;
    this.#troubles = troubles;
  }

  changed({ device, at, isNews, pairing }: Extract<Fact, { kind: 'device.changed' }>): EventDraft[] {
    const { numberId, revision, phoneNumber } = device;
    const query = 'SELECT revision FROM devices WHERE number_id = ?';
    const last = this.queryValue<number>(query, numberId) ?? -1;
    if (revision <= last) return [];
    this.sql.exec(
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

/** What changes of groups bring about. Each has a revision that rises with the number's changes: it is told once. */
export class GroupFacts extends Tables {
  changed(fact: Extract<Fact, { kind: 'group.changed' }>): EventDraft[] {
    const { numberId, revision, groupId, subject, news } = fact;
    const query = 'SELECT revision FROM group_revisions WHERE number_id = ?';
    const last = this.queryValue<number>(query, numberId) ?? 0;
    if (revision <= last) return [];
    this.sql.exec(
      'INSERT OR REPLACE INTO group_revisions (number_id, revision) VALUES (?, ?)',
      numberId,
      revision,
    );
    const group = { numberId, groupId, subject };
    return news.map((one) => draftOf(one, group));
  }
}

function draftOf(news: GroupNews, group: EventData<'group.created'>): EventDraft {
  const id = newEventId();
  switch (news.event) {
    case 'group.created':
      return { id, event: news.event, data: group };
    case 'group.updated':
      return { id, event: news.event, data: { ...group, changes: news.changes } };
    case 'group.participants': {
      const { event, action, participants } = news;
      return { id, event, data: { ...group, action, participants } };
    }
    case 'group.join_request': {
      const { event, action, participants } = news;
      return { id, event, data: { ...group, action, participants } };
    }
  }
}
