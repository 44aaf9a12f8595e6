import { Store } from '../gateway/store.ts';
import type { Feature, Words } from './texts.ts';

/** The languages of the dashboard, each by its own name. */
export const languages = {
  en: 'English',
  es: 'Español',
  pt: 'Português',
  id: 'Bahasa Indonesia',
} as const;
export type Language = keyof typeof languages;

/** A file for each feature in each language, in rooms as the routes: `./en/developer/api-keys.ts` exports `apiKeys`. */
const files = import.meta.glob<Partial<Words>>('./*/*/*.ts');

/** What every page says; a feature's words come with its pages. */
const wanted = new Set<keyof Words>(['common', 'problems', 'shell']);

const storageKey = 'heliograph-language';
const isLanguage = (name: string | null): name is Language => name !== null && name in languages;

/** The one chosen here before, else the first of the browser's that there is, else English. */
function preferred(): Language {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  const own = navigator.languages.map((tag) => tag.split('-')[0] ?? null);
  return own.find(isLanguage) ?? 'en';
}

let chosen = preferred();

interface Loaded {
  language: Language;
  words: Partial<Words>;
}

/** What is on screen; null until the first words are loaded. */
export const spoken = new Store<Loaded | null>(null);

function wordsOf(language: Language, name: keyof Words): Promise<Partial<Words>> {
  const file = `/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  const own = Object.keys(files).find((path) => path.startsWith(`./${language}/`) && path.endsWith(file));
  const load = own === undefined ? undefined : files[own];
  if (load === undefined) throw new Error(`There are no words for ${name} in ${language}.`);
  return load();
}

/** Loads what is wanted in the chosen language, each file once, and then says it. */
export async function loadWords(): Promise<void> {
  const language = chosen;
  const names = [...wanted];
  const known = spoken.value?.language === language ? spoken.value.words : {};
  if (names.every((name) => name in known)) return;
  const loaded = await Promise.all(names.map((name) => wordsOf(language, name)));
  // Another language was chosen meanwhile.
  if (language !== chosen) return loadWords();
  const before = spoken.value?.language === language ? spoken.value.words : {};
  document.documentElement.lang = language;
  spoken.set({ language, words: Object.assign({}, before, ...loaded) });
}

/** Loads a page, and with it the words of the features that it speaks of. */
export const withWords =
  <Module>(features: readonly Feature[], load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    for (const feature of features) wanted.add(feature);
    const [module] = await Promise.all([load(), loadWords()]);
    return module;
  };

export async function choose(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  chosen = language;
  await loadWords();
}
