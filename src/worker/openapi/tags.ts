/** The chapters of the document, in reading order. */
export const tags = {
  Messages: 'Send messages from your paired numbers, and follow each one until it is read.',
  Media: 'Upload files to send, and download files you received.',
  Usage: 'How much of the monthly quota is used.',
  Numbers: 'Your phone numbers: pair them, monitor their state, add them to the pool or remove them.',
  Groups: 'The groups a number is in: create and change them, and manage their members.',
  Contacts: 'The people your numbers talk with, and what the network knows about them.',
  Conversations:
    'What your team works on: chats with contacts and groups, who is responsible, and what was done.',
  Support: 'How fast people get a reply: business hours, SLA policies, and the report.',
  Campaigns: 'One message to many people, each once, at a pace that your numbers can sustain.',
  Assistants: 'AI that answers conversations with the knowledge you give it, and hands over to people.',
  Settings: 'What applies to every number of the account: filters, opt-outs and the rest.',
  Events: 'Everything that happened, in order: read it from any position, or follow it live.',
  Webhooks: 'Where events are delivered: register webhooks, and see every attempt.',
  Automations: 'Rules that respond automatically, and what they did.',
  Alerts: 'What needs attention, and when it was resolved.',
  'API keys': 'Credentials for your servers. A key is shown once; only its hash is stored.',
  'Request log': 'What your API keys requested in the last seven days, and what failed.',
  'Sign-in': 'Credentials for people: a token for 15 minutes, renewed with a cookie.',
  Members: 'The members of the account and their roles.',
  'Audit log': 'Who changed what, and when.',
  Service: 'Whether the gateway is up, and this document.',
} as const;

export type Tag = keyof typeof tags;
