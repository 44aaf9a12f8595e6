export const overview = {
  title: 'Overview',
  firstSteps: 'Get started',
  stepsDone: '{done, number} of {all, number} done',
  steps: {
    add: 'Add a number',
    pair: 'Pair it with a phone',
    send: 'Send a test message',
    read: 'See when it is read',
    key: 'Create an API key',
    webhook: 'Add a webhook to receive events',
  },
  attention: 'Needs attention',
  moreAlerts: '{count, plural, one {And # more} other {And # more}}',
  today: 'Today',
  monthSummary: '{sent, number} sent, {received, number} received, {failed, number} failed',
  quota: 'Messages this month',
  ofLimit: 'of {limit, number}',
  noLimit: 'Unlimited',
  resets: 'Resets on {date}',
  all: '{count, plural, one {# number} other {All # numbers}}',
} as const;

declare module '../../words/texts.ts' {
  interface English {
    overview: typeof overview;
  }
}
