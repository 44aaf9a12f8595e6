import type { Automation } from '../../../sdk/index.ts';

/** What there is to start from. */
export const templateNames = [
  'away',
  'welcome',
  'keyword',
  'menu',
  'choice',
  'waiting',
  'forward',
  'blank',
] as const;
export type TemplateName = (typeof templateNames)[number];

/** Names of words hold no dots. */
export const triggerWord = {
  'message.received': 'message',
  'conversation.created': 'created',
  'conversation.updated': 'updated',
  'conversation.waiting': 'waiting',
  outside_hours: 'closed',
} as const satisfies Record<Automation['on'], string>;
