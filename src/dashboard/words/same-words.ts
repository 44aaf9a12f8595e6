/** What another language says as English does. */
export const sameInEveryLanguage: ReadonlySet<string> = new Set([
  'Admin',
  'E-mail',
  'Webhooks',
  '{count, number} d',
  '{count, number} h',
  '{count, number} min',
  '{count, number} s',
  '{time} UTC',
  '–',
]);
