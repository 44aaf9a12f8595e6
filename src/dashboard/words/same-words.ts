/** What another language says as English does. */
export const sameInEveryLanguage: ReadonlySet<string> = new Set([
  'Admin',
  'E-mail',
  'Webhooks',
  '{time} UTC',
]);
