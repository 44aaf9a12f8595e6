/** What somebody should know before they start a campaign: a closed list. */
export const previewWarnings = [
  'nobody',
  'cold_contacts',
  'no_number',
  'quota_short',
  'never_ends',
  'daily_limits',
] as const;
export type PreviewWarning = (typeof previewWarnings)[number];
