/** Everything that is said in English, by the file that says it. */
export interface English {
  common: typeof import('../parts/words.en.ts').common;
  problems: typeof import('../parts/words.en.ts').problems;
  shell: typeof import('../shell/words.en.ts').shell;
  accountSettings: typeof import('../features/settings/account/words.en.ts').accountSettings;
  alerts: typeof import('../features/alerts/words.en.ts').alerts;
  apiKeys: typeof import('../features/api-keys/words.en.ts').apiKeys;
  assistants: typeof import('../features/assistants/words.en.ts').assistants;
  automations: typeof import('../features/automations/words.en.ts').automations;
  bridges: typeof import('../features/bridges/words.en.ts').bridges;
  campaigns: typeof import('../features/campaigns/words.en.ts').campaigns;
  contacts: typeof import('../features/contacts/words.en.ts').contacts;
  events: typeof import('../features/events/words.en.ts').events;
  inbox: typeof import('../features/inbox/words.en.ts').inbox;
  inboxAssistant: typeof import('../features/inbox/assistant/words.en.ts').inboxAssistant;
  messages: typeof import('../features/messages/words.en.ts').messages;
  numbers: typeof import('../features/numbers/words.en.ts').numbers;
  overview: typeof import('../features/overview/words.en.ts').overview;
  requests: typeof import('../features/requests/words.en.ts').requests;
  settings: typeof import('../features/settings/words.en.ts').settings;
  signIn: typeof import('../features/sign-in/words.en.ts').signIn;
  support: typeof import('../features/settings/support/words.en.ts').support;
  teams: typeof import('../features/settings/teams/words.en.ts').teams;
  webhooks: typeof import('../features/webhooks/words.en.ts').webhooks;
}

type Texts<Node> = { readonly [Key in keyof Node]: Node[Key] extends string ? string : Texts<Node[Key]> };

/** What each language has to say: exactly what English says, or it does not compile. */
export type Words = Texts<English>;

/** Features whose page has a title: the navigation calls them so. */
export type PageName = {
  [Name in keyof English]: English[Name] extends { title: string } ? Name : never;
}[keyof English];
