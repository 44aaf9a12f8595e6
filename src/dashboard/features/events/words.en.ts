export const events = {
  title: 'Events',
  lead: 'Every event of the last 30 days, in order.',
  filters: 'Filters',
  anyEvent: 'Any event',
  about: 'About',
  waiting: '{count, plural, one {# new event} other {# new events}}',
  emptyTitle: 'No events yet',
  emptyLead:
    'Each step of a message and each change of a number is an event. Events appear here as they happen. Webhooks deliver them to your server, and an API key lets you follow them:',
  noneTitle: 'No matching events',
  noneLead: 'No events match these filters. New matches appear here.',
  exampleName: 'Example: follow events',
  payloadTitle: 'Sent to webhooks',
  payload: 'Payload',
  toMessage: 'View message',
  cursor: 'Cursor',
  gone: 'This event no longer exists. Events are kept for 30 days.',
} as const;
