import type { EventData, EventEnvelope } from '../../contract/events.ts';
import type { UnplacedEvent } from '../event-relay.ts';
import { newEventId } from '../new-ids.ts';
import { type Device, deviceProjection } from './device.ts';
import { iso } from './outbound-message.ts';

type DeviceEventName = 'device.connected' | 'device.disconnected' | 'device.logged_out';

/** The event, if any, that a change of the device means for the outside. */
export function deviceEvents(before: Device | null, after: Device, now: number): UnplacedEvent[] {
  const { numberId, phoneNumber, state } = after;
  if (before === null || before.state === state || phoneNumber === null) return [];
  const reason = after.reason ?? '';
  switch (state) {
    case 'connected':
      return [
        event('device.connected', { numberId, phoneNumber, connectedAt: iso(after.connectedAt ?? now) }),
      ];
    case 'disconnected': {
      const lastSeenAt = iso(after.lastSeenAt ?? now);
      return [event('device.disconnected', { numberId, phoneNumber, reason, lastSeenAt })];
    }
    case 'logged_out':
    case 'banned':
      return [event('device.logged_out', { numberId, phoneNumber, reason })];
    case 'pairing':
    case 'unpaired':
      return [];
  }

  function event<Name extends DeviceEventName>(name: Name, data: EventData<Name>): UnplacedEvent {
    const envelope = { id: newEventId(), event: name, timestamp: iso(now), data } as EventEnvelope;
    return { envelope, message: null, device: deviceProjection(after) };
  }
}
