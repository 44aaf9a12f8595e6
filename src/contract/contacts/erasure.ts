/** What the erasing of a person leaves, or does not take at once. The guide says of each why, and until when. */
export const erasureRemains = [
  'opt_out',
  'sent_files',
  'import_files',
  'mentions_by_others',
  'queued_messages',
  'webhook_answers',
  'idempotent_answers',
  'request_log',
  'audit_log',
  'session_keys',
] as const;
