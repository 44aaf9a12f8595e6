import { type MessageStatus, mayFollow } from '../../contract/message.ts';
import type {
  DeviceProjection,
  EventsQueueMessage,
  MessageProjection,
} from '../../durable/relayed-events.ts';

const isLadderStatus = (status: MessageProjection['status']): status is MessageStatus =>
  status !== 'received';

/** Two sightings of one message: the one that has come further, with the times that only the other one knows. */
function mergeMessage(a: MessageProjection, b: MessageProjection): MessageProjection {
  const further = isLadderStatus(a.status) && isLadderStatus(b.status) && mayFollow(a.status, b.status);
  const [ahead, behind] = further ? [b, a] : [a, b];
  return {
    ...ahead,
    providerMessageId: ahead.providerMessageId ?? behind.providerMessageId,
    queuedAt: ahead.queuedAt ?? behind.queuedAt,
    sentAt: ahead.sentAt ?? behind.sentAt,
    deliveredAt: ahead.deliveredAt ?? behind.deliveredAt,
    readAt: ahead.readAt ?? behind.readAt,
  };
}

export interface Projections {
  messages: MessageProjection[];
  devices: { accountId: string; device: DeviceProjection }[];
}

/** What a queue batch says about messages and devices, one row each however many steps it tells of. */
export function mergeProjections(batch: readonly EventsQueueMessage[]): Projections {
  const messages = new Map<string, MessageProjection>();
  const devices = new Map<string, { accountId: string; device: DeviceProjection }>();
  for (const { accountId, events } of batch) {
    for (const { message, device } of events) {
      if (message !== null) {
        const key = `${message.accountId} ${message.messageId}`;
        const known = messages.get(key);
        messages.set(key, known === undefined ? message : mergeMessage(known, message));
      }
      if (device !== null) {
        const known = devices.get(device.numberId);
        if (known === undefined || known.device.revision < device.revision) {
          devices.set(device.numberId, { accountId, device });
        }
      }
    }
  }
  return { messages: [...messages.values()], devices: [...devices.values()] };
}
