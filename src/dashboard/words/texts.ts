/** What the words of each folder of `features/` say, in English. A page names the folders whose words it says (`withWords`). */
interface Folders {
  alerts: typeof import('../features/alerts/words.en.ts');
  'api-keys': typeof import('../features/api-keys/words.en.ts');
  assistants: typeof import('../features/assistants/words.en.ts');
  automations: typeof import('../features/automations/words.en.ts');
  bridges: typeof import('../features/bridges/words.en.ts');
  campaigns: typeof import('../features/campaigns/words.en.ts');
  contacts: typeof import('../features/contacts/words.en.ts');
  events: typeof import('../features/events/words.en.ts');
  inbox: typeof import('../features/inbox/words.en.ts');
  'inbox/assistant': typeof import('../features/inbox/assistant/words.en.ts');
  messages: typeof import('../features/messages/words.en.ts');
  numbers: typeof import('../features/numbers/words.en.ts');
  overview: typeof import('../features/overview/words.en.ts');
  requests: typeof import('../features/requests/words.en.ts');
  settings: typeof import('../features/settings/words.en.ts');
  'settings/account': typeof import('../features/settings/account/words.en.ts');
  'settings/support': typeof import('../features/settings/support/words.en.ts');
  'settings/teams': typeof import('../features/settings/teams/words.en.ts');
  'sign-in': typeof import('../features/sign-in/words.en.ts');
  webhooks: typeof import('../features/webhooks/words.en.ts');
}
export type WordsFolder = keyof Folders;

type Merged<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never;

/** Everything that is said in English: what every page says, and what features say. */
export type English = typeof import('../parts/words.en.ts') &
  typeof import('../shell/words.en.ts') &
  Merged<Folders[WordsFolder]>;

type Texts<Node> = { readonly [Key in keyof Node]: Node[Key] extends string ? string : Texts<Node[Key]> };

/** What each language has to say: exactly what English says, or it does not compile. */
export type Words = Texts<English>;
