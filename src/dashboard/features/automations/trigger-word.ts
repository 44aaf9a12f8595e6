import type { Automation } from '../../../sdk/index.ts';

/** Names of words hold no dots. */
export const triggerWord = {
  'message.received': 'message',
  'conversation.created': 'created',
  'conversation.updated': 'updated',
  'conversation.waiting': 'waiting',
  outside_hours: 'closed',
} as const satisfies Record<Automation['on'], string>;
