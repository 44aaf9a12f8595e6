export const requests = {
  title: 'Request log',
  navigation: 'Request log',
  lead: 'API requests of the last seven days.',
  refresh: 'Refresh',
  emptyTitle: 'No requests yet',
  emptyLead: 'Requests made with your API keys appear here within seconds.',
  noneTitle: 'No matching requests',
  noneLead: 'No requests of the last seven days match these filters.',
  key: 'API key',
  allKeys: 'All keys',
  revokedKey: 'Revoked key',
  outcome: 'Outcome',
  outcomes: {
    '2xx': 'Succeeded',
    '4xx': 'Refused (4xx)',
    '5xx': 'Failed (5xx)',
  },
  columnDuration: 'Duration',
  columnCount: 'Count',
  columnLast: 'Last',
  milliseconds: '{count, number} ms',
  errors: 'Most frequent errors',
  showThese: 'Show these requests',
  request: 'Request',
  requestId: 'Request ID',
  query: 'Query',
  body: 'Body',
  redacted: 'Message texts and secrets are never stored. Phone numbers are shortened.',
} as const;

declare module '../../words/texts.ts' {
  interface English {
    requests: typeof requests;
  }
}
