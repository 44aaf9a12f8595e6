export const shell = {
  skip: 'Skip to content',
  navigation: 'Main',
  inboxShort: 'Inbox',
  developer: 'Developer',
  operator: 'Operator',
  openAlerts: '{count, plural, one {# open alert} other {# open alerts}}',
  reference: 'API reference',
  fold: 'Collapse navigation',
  unfold: 'Expand navigation',
  live: 'Live',
  connecting: 'Connecting',
  lost: 'No connection',
  lostNotice: 'The gateway cannot be reached. Showing data from {time}. Reconnecting…',
  account: 'Your account',
  language: 'Language',
  appearance: 'Appearance',
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
  signOut: 'Sign out',
  owner: 'Owner',
  admin: 'Admin',
  agent: 'Agent',
  commands: {
    title: 'Commands',
    find: 'Search or jump to…',
    none: 'No results.',
    search: 'Search this list',
    shortcuts: 'Keyboard shortcuts',
    closePanel: 'Close the open panel',
    addNumber: 'Add a number',
    sendTest: 'Send a test message',
  },
} as const;

declare module '../words/texts.ts' {
  interface English {
    shell: typeof shell;
  }
}
