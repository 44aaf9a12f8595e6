export const accountSettings = {
  name: {
    lead: 'Shown on invitations and in the corner of every page.',
    id: 'Account ID:',
  },
  plan: {
    title: 'Plan and usage',
    lead: 'You are on the {plan} plan. Limits and usage:',
    messages: 'Messages this month',
    numbers: 'Numbers',
    webhooks: 'Webhooks',
    keys: 'API keys',
    members: 'Members and invitations',
    ofMost: '{used, number} of {most, number}',
    unbounded: '{used, number} · Unlimited',
    storage: 'File storage',
    storageNote: 'Files that were uploaded, sent, received or imported. Each is deleted after 30 days.',
    ofMostSize: '{used} of {most}',
    unboundedSize: '{used} · Unlimited',
    resets: 'Resets on {date} (UTC)',
    number: 'By number',
  },
  retention: {
    title: 'Retention',
    lead: 'How long data stays at hand. Archived data stays archived, even if you keep data longer later.',
    messagesMonths: 'Messages (months)',
    messagesMonthsHint: '1 to 120. Older messages move to the archive, where they can still be opened.',
    eventsDays: 'Events and delivery attempts (days)',
    eventsDaysHint:
      '1 to 365. The event stream goes back this far. A program that is offline longer misses events.',
    shorter: 'This is shorter than now: older data is removed within a day of saving.',
  },
  pool: {
    lead: 'A message without a fixed number is sent from one of these: a healthy one, least recently used.',
    inPoolNamed: '{name} is in the pool',
    notPaired: 'Not paired',
    noNumbers: 'No numbers yet',
    noNumbersLead: 'Add a number to use it in the pool.',
    toNumbers: 'Go to numbers',
    empty: 'No number is in the pool: sends are refused unless their key is pinned to a number.',
  },
  rules: {
    title: 'How the pool works',
    lead: 'Applies to all numbers of the account.',
    stickyHours: 'Same number for the same recipient (hours)',
    stickyHoursHint:
      'For this long, a recipient hears from the same number. 0: each message may use another one.',
    rerouteSeconds: 'Wait for an offline number (seconds)',
    rerouteSecondsHint:
      'After that, its queued messages move to another number. Those of strictly pinned keys keep waiting.',
    networkChecksPerDay: 'Recipient checks per day and number',
    networkChecksPerDayHint:
      'For filters that check the network first. Above this, messages go out unchecked: too many checks look like scraping.',
  },
  filters: {
    title: 'Account filters',
    lead: 'Recipients that no number may write to. Each number can have its own filters too.',
    allowPrefixes: 'Only these prefixes',
    allowPrefixesHint: 'Country codes or prefixes, such as 62 or 6281. Leave empty to allow all.',
    blockPrefixes: 'Blocked prefixes',
    blockPrefixesHint: 'Sends to them are refused.',
    blockNumbers: 'Blocked numbers',
    blockNumbersHint: 'With country code, without plus.',
    checkOnNetwork: 'Ask the network first',
    checkOnNetworkHint: 'Before the first message to someone, checks that they are on WhatsApp.',
  },
  optOuts: {
    title: 'Opt-outs',
    lead: 'These people opted out: sends to them are refused, and campaigns skip them.',
    none: 'No opt-outs yet.',
    how: 'Source',
    wrote: 'Wrote “{word}”',
    wroteTo: 'Wrote “{word}” to {number}',
    byHand: 'Added manually',
    somebody: 'this person',
    removeTitle: 'Write to {name} again?',
    removeLead: 'Only with their consent: they have opted out.',
    add: 'Add opt-out',
    addLead:
      'For people who opted out another way, such as by phone. A start word from them removes the opt-out.',
    phoneHint: 'With country code: +62 812 3456 789.',
  },
  words: {
    title: 'Opt-out words',
    lead: 'A message counts if it is one of these words and nothing else. Case does not matter.',
    stopWords: 'Stop words',
    stopWordsHint: 'Whoever sends one is opted out.',
    startWords: 'Start words',
    startWordsHint: 'Whoever sends one is opted back in.',
    confirmation: 'Opt-out reply',
    confirmationHint: 'Sent once, from the number they wrote to. Leave empty for no reply.',
  },
} as const;

declare module '../../../words/texts.ts' {
  interface English {
    accountSettings: typeof accountSettings;
  }
}
