import { isoTime } from '../../../contract/times.ts';
import { newEventId } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { DeviceRecord } from '../facts.ts';

/** The event, if any, that a new state of a device means for the outside. */
export function deviceEvents(device: DeviceRecord, at: number): EventDraft[] {
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
