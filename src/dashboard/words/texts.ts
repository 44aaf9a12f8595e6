import type { words as english } from './en/words.ts';

type Texts<Node> = { readonly [Key in keyof Node]: Node[Key] extends string ? string : Texts<Node[Key]> };

/** What each language has to say: exactly what English says, or it does not compile. */
export type Words = Texts<typeof english>;

/** What not every page says. */
export type Feature = Exclude<keyof Words, 'common' | 'problems' | 'shell'>;
