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
