/** The chapters of the document, in reading order. */
export const tags = {
  Messages: 'Send messages from your paired numbers, and follow each one until it is read.',
  Media: 'Store files to send, and fetch those that came.',
  Usage: 'How much of the monthly quota is used.',
  Numbers: 'Your phone numbers: pair them, watch their state, take them in and out of the pool.',
  Groups: 'The groups that a number is in: make them, change them, and see who is in them.',
  Contacts: 'The people that your numbers talk with, and what the network knows of them.',
  Conversations: 'What people work at: a chat with a contact or a group, who sees to it, and what was done.',
  Support: 'How fast people are answered: business hours, SLA policies, and the report.',
  Campaigns: 'One message to many people, each once, at the pace that your numbers bear.',
  Assistants: 'AI that answers conversations with what you told it, and hands over to people.',
  Settings: 'What holds for every number of the account: filters, opt-outs, and who answers whom.',
  Events: 'Everything that happened, in one order: read it from any place on, or follow it live.',
  Webhooks: 'Where events go: register receivers, and see every attempt to reach them.',
  Automations: 'Rules that answer by themselves, and what they have done.',
  Alerts: 'What wants a person, and when it was over.',
  'API keys': "Credentials for a customer's servers. A key is shown once; only its hash is stored.",
  'Request log': 'What your API keys asked in the last seven days, and what failed.',
  'Sign-in': 'Credentials for people: a token for 15 minutes, renewed by a cookie.',
  Members: 'Who belongs to the account, and with which role.',
  'Audit log': 'Who changed what, and when.',
  Service: 'Whether the gateway is up, and this document.',
} as const;

export type Tag = keyof typeof tags;
