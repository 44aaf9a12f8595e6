/** What there is to start from. */
export const readyMade = [
  'away',
  'welcome',
  'keyword',
  'menu',
  'choice',
  'waiting',
  'forward',
  'blank',
] as const;
export type ReadyMade = (typeof readyMade)[number];
