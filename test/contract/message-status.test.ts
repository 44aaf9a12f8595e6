import { expect, test } from 'vitest';
import {
  type MessageStatus,
  mayFollow,
  messageStatuses,
} from '../../src/contract/messages/message-status.ts';

test('a status moves only forward, failed is terminal and comes only before delivered', () => {
  const allowed: Record<MessageStatus, MessageStatus[]> = {
    queued: ['sent', 'delivered', 'read', 'failed'],
    sent: ['delivered', 'read', 'failed'],
    delivered: ['read'],
    read: [],
    failed: [],
  };
  for (const from of messageStatuses) {
    expect(messageStatuses.filter((to) => mayFollow(from, to))).toEqual(allowed[from]);
  }
});
