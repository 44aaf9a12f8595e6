/** Everything that is said in English. Each `words.en.ts` adds what it says. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled where the words are.
export interface English {}

type Texts<Node> = { readonly [Key in keyof Node]: Node[Key] extends string ? string : Texts<Node[Key]> };

/** What each language has to say: exactly what English says, or it does not compile. */
export type Words = Texts<English>;

/** Features whose page has a title: the navigation calls them so. */
export type PageName = {
  [Name in keyof English]: English[Name] extends { title: string } ? Name : never;
}[keyof English];
