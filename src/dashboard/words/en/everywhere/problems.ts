export const problems = {
  title: 'That did not work',
  requestId: 'Request id',
  unreachable: 'The gateway could not be reached. Nothing was changed. Check your connection and try again.',
  timeout: 'The gateway took too long to answer. Look whether the change was made before you try again.',
  forbidden: 'Your role does not allow this. Ask an owner or an admin of the account.',
  notFound: 'This is not there any more. Somebody may have deleted it.',
  conflict: 'This does not fit the present state, so nothing was changed.',
  quota: 'The messages of this month are used up. They start anew on {date}.',
  rateLimited:
    'Too many requests at once. Wait {seconds, plural, one {# second} other {# seconds}} and try again.',
  invalid: 'Some fields need another value. What you typed is still here.',
  recipient: 'This recipient cannot be written to.',
  noSender: 'No number can send right now. Connect one and try again.',
  signedOut: 'Your session is over. Sign in again.',
  internal: 'Something went wrong at the gateway. Nothing you typed was lost; try again.',
  said: 'The gateway says: {message}',
} as const;
