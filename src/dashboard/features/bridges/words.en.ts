export const bridges = {
  title: 'Bridges',
  lead: 'The processes that connect all numbers of this gateway to the network.',
  add: 'Add bridge',
  addSubmit: 'Create token',
  addedTitle: 'Start the new bridge',
  emptyTitle: 'No bridges yet',
  emptyLead:
    'Without a bridge, no number can connect. Create a token, then start a bridge with it on any machine. The bridge connects to the gateway, never the other way round.',
  columnBridge: 'Bridge',
  columnMemory: 'Memory',
  columnRelease: 'Release',
  columnVersion: 'Protocol',
  ofCapacity: '{numbers, number} of {capacity, number}',
  mebibytes: '{count, number} MiB',
  state: {
    linked: 'Linked',
    draining: 'Draining',
    empty: 'Drained',
    away: 'Away',
    lost: 'Lost',
    gone: 'Gone',
    revoked: 'Revoked',
  },
  about: {
    draining: 'Its numbers move to other bridges one by one, each once its current message is sent.',
    empty: 'It runs no numbers and gets none until you resume it. Its machine can be taken down.',
    away: 'It has stopped responding. Its numbers are about to move to other bridges.',
    lost: 'It has stopped responding, and no other bridge has room for its numbers. They are offline. Start a bridge, or bring this one back.',
    gone: 'It has stopped responding. Other bridges run its numbers. When it comes back, it hands over what its disk still holds.',
    revoked: 'Its token no longer works. The machine can only come back as a new bridge.',
  },
  noneTitle: 'No bridge is linked.',
  noneLead: 'All numbers of this gateway are offline until one is. Messages are queued.',
  lostTitle: '{name} is lost.',
  lostLead:
    '{count, plural, one {# number waits} other {# numbers wait}} for room on another bridge. Start one, or bring this one back. Nothing is lost in the meantime.',
  waitingTitle: '{count, plural, one {# number waits for a bridge} other {# numbers wait for a bridge}}.',
  waitingLead: 'No bridge that accepts numbers has room. Start another one.',
  region: 'Region',
  noRegion: 'No region (for numbers without one)',
  regionTitle: 'No bridge in {region} is linked.',
  regionLead:
    '{count, plural, one {# number in this region waits} other {# numbers in this region wait}} for one. Bridges in other regions do not take them.',
  unknown: 'Bridge not found. Bridges without numbers are removed after a week.',
  linkedAt: 'Linked since',
  goneSince: 'Gone since',
  enrolledAt: 'Enrolled',
  actions: 'Bridge actions',
  drain: 'Drain',
  drainTitle: 'Drain {name}?',
  drainLead:
    'It gets no new numbers. Its numbers move to other bridges while these have room, each once its current message is sent. You can resume it at any time.',
  revokeLead:
    'This cannot be undone. Revoke a bridge when its machine or its token is in the wrong hands. Its connections close, its token stops working, and its numbers move to other bridges at once. VAULT_KEY was on that machine too: replace it yourself.',
  nameHint: 'Optional. Shown in this list.',
  nameExample: 'rack 4',
  lifetime: 'Token valid for',
  lifetimes: { hour: 'an hour', day: 'a day', week: '7 days', month: '30 days' },
  token: 'Token for the new bridge',
  shownOnce: 'Copy it now. You will not see it again. It enrols one bridge, once.',
  goodUntil: 'Valid until',
  command: 'Command to start the bridge',
  commandTitle: 'On the machine of the bridge',
  commandLead:
    'VAULT_KEY is the same as on your other bridges; the gateway never has it. BRIDGE_HOME is a folder that survives restarts. After its first start, the bridge no longer needs the token.',
} as const;

declare module '../../words/texts.ts' {
  interface English {
    bridges: typeof bridges;
  }
}
