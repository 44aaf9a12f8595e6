export const apiKeys = {
  title: 'API keys',
  lead: 'Keys that let your apps use the API. Create one for each app.',
  create: 'Create API key',
  createdTitle: 'API key for {name}',
  emptyTitle: 'No API keys yet',
  emptyLead:
    'An API key lets your app send messages and track them. Give each app its own key, so you can see which one is used and revoke it without affecting the others. This is how to send a message with a key:',
  columnKey: 'Key',
  state: {
    active: 'Active',
    unused: 'Never used',
    idle: 'Idle',
    ending: 'Expires soon',
    expired: 'Expired',
  },
  idleNote: 'Not used for {days} days. Revoke keys that you no longer need.',
  pinnedStrict: '{name} only',
  pinnedFallback: '{name}, then the pool',
  scopeCount: '{count, plural, one {# scope} other {# scopes}}',
  nameExample: 'Web shop',
  sender: 'Sends from',
  senderPoolHint: 'Each message uses the healthy number that has been idle longest.',
  senderPinHint: 'Every message is sent from this number.',
  onPinFailure: 'If this number cannot send',
  strict: 'Reject the message',
  strictHint: 'The API responds with 503. The key can access this number only.',
  fallback: 'Use the pool',
  fallbackHint: 'Another healthy number sends the message.',
  scopes: 'Scopes',
  scopesNeeded: 'Choose at least one.',
  tooWide:
    'A key restricted to one number cannot manage contacts or webhooks, which belong to the whole account.',
  scope: {
    'messages:send': 'Send messages and preview sends',
    'messages:read': 'Read messages and their status',
    media: 'Upload and download files',
    'numbers:read': 'Read numbers and their health',
    groups: 'Read and manage groups',
    contacts: 'Read contacts and opt-outs',
    'events:read': 'Read and stream events',
    'usage:read': 'Read quota and usage',
    webhooks: 'Manage webhooks. Gives access to every event',
  },
  addresses: 'Allowed IP addresses',
  addressesHint:
    'IP addresses or ranges, such as 203.0.113.0/24. Press Enter after each. Leave empty to allow all.',
  expiry: 'Expires',
  expiries: {
    never: 'Never',
    month: 'In 30 days',
    quarter: 'In 90 days',
    year: 'In 1 year',
    date: 'On a specific date',
  },
  expiryDate: 'Expiry date',
  dateInFuture: 'Choose a date in the future.',
  shownOnce: 'Copy it now and store it securely. You will not see it again.',
  secretName: 'Your API key',
  snippetTitle: 'Send your first message',
  snippetLanguage: 'Language',
  snippetName: 'Example request',
  actions: 'API key actions',
  requests: 'View requests',
  revokeLead:
    'Requests with this key are rejected immediately. Messages already accepted are still sent. This cannot be undone.',
  gone: 'This API key does not exist. It may have been revoked.',
} as const;

declare module '../../words/texts.ts' {
  interface English {
    apiKeys: typeof apiKeys;
  }
}
