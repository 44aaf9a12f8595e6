import { Store } from '../gateway/store.ts';
import type { Words } from './texts.ts';

/** The languages of the dashboard, each by its own name. */
export const languages = {
  en: 'English',
  es: 'Español',
  pt: 'Português',
  id: 'Bahasa Indonesia',
} as const;
export type Language = keyof typeof languages;

/** A file for each language, beside what says it: `../features/api-keys/words.es.ts`. */
const files = import.meta.glob<Partial<Words>>('../**/words.*.ts');

/** The folders whose words are wanted: what every page says; those of a feature come with its pages. */
const wanted = new Set(['parts', 'shell']);

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
  folders: ReadonlySet<string>;
  words: Partial<Words>;
}

/** What is on screen; null until the first words are loaded. */
export const shownWords = new Store<Loaded | null>(null);

function wordsOf(language: Language, folder: string): Promise<Partial<Words>> {
  const load = files[`../${folder}/words.${language}.ts`];
  if (load === undefined) throw new Error(`There are no words in ${folder} in ${language}.`);
  return load();
}

/** Loads what is wanted in the chosen language, each file once, and then says it. */
export async function loadWords(): Promise<void> {
  const language = chosen;
  const folders = [...wanted];
  const isSpoken = (folder: string) =>
    shownWords.value?.language === language && shownWords.value.folders.has(folder);
  if (folders.every(isSpoken)) return;
  const loaded = await Promise.all(folders.map((folder) => wordsOf(language, folder)));
  // Another language was chosen meanwhile.
  if (language !== chosen) return loadWords();
  document.documentElement.lang = language;
  const before = shownWords.value?.language === language ? shownWords.value : { folders: [], words: {} };
  const words: Partial<Words> = Object.assign({}, before.words, ...loaded);
  shownWords.set({ language, folders: new Set([...before.folders, ...folders]), words });
}

/** Loads a page, and with it the words of the folders of `features/` that it speaks of: `['settings', 'settings/teams']`. */
export const withWords =
  <Module>(folders: readonly string[], load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    for (const folder of folders) wanted.add(`features/${folder}`);
    const [module] = await Promise.all([load(), loadWords()]);
    return module;
  };

export async function choose(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  chosen = language;
  await loadWords();
}
