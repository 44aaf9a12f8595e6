export const common = {
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saved: 'Saved',
  delete: 'Delete',
  back: 'Back',
  more: 'More',
  copy: 'Copy',
  copied: 'Copied',
  tryAgain: 'Try again',
  loading: 'Loading',
  loadMore: 'Show more',
  none: 'None',
  never: 'Never',
  utc: '{time} UTC',
  stepUp: 'You signed in a while ago. Confirm that it is you to continue.',
  yourPassword: 'Your password',
  wrongPassword: 'This is not your password.',
  confirm: 'Confirm',
  noSuchPage: 'Page not found',
  noSuchPageLead: 'The address may be mistyped, or the page was deleted.',
  toOverview: 'Go to the overview',
  typeToConfirm: 'Type {word} to confirm',
  status: {
    queued: 'Queued',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Failed',
    received: 'Received',
  },
} as const;

export const problems = {
  title: 'Something went wrong',
  requestId: 'Request ID',
  unreachable: 'The gateway could not be reached. Nothing was changed. Check your connection and try again.',
  timeout: 'The gateway took too long to respond. Check whether the change was made before you try again.',
  forbidden: 'Your role does not allow this. Ask an owner or admin of the account.',
  notFound: 'This no longer exists. Someone may have deleted it.',
  conflict: 'This conflicts with the current state. Nothing was changed.',
  quota: "This month's messages are used up. They reset on {date}.",
  rateLimited: 'Too many requests. Wait {seconds, plural, one {# second} other {# seconds}} and try again.',
  invalid: 'Some fields need a different value. What you typed is still here.',
  recipient: 'This recipient cannot be written to.',
  noSender: 'No number can send right now. Connect one and try again.',
  signedOut: 'Your session has expired. Sign in again.',
  internal: 'Something went wrong on the gateway. Nothing you typed was lost. Try again.',
  gatewaySays: 'The gateway says: {message}',
} as const;

declare module '../words/texts.ts' {
  interface English {
    common: typeof common;
    problems: typeof problems;
  }
}
