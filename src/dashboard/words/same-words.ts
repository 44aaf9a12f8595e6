/** What another language says as English does. */
export const sameInEveryLanguage: ReadonlySet<string> = new Set([
  'Admin',
  'Discord',
  'E-mail',
  'Emoji',
  'Slack',
  'Telegram',
  'Webhook',
  'Webhooks',
  '{count, number} d',
  '{count, number} h',
  '{count, number} min',
  '{count, number} s',
  'WhatsApp',
  '{time} UTC',
  '–',
]);
