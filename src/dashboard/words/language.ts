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

/** Each is a file of its own: a page loads one. */
const loaders: Record<Language, () => Promise<{ words: Words }>> = {
  en: () => import('./en/words.ts'),
  es: () => import('./es/words.ts'),
  pt: () => import('./pt/words.ts'),
  id: () => import('./id/words.ts'),
};

const storageKey = 'heliograph-language';
const isLanguage = (name: string | null): name is Language => name !== null && name in languages;

/** The one chosen here before, else the first of the browser's that there is, else English. */
function preferred(): Language {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  const own = navigator.languages.map((tag) => tag.split('-')[0] ?? null);
  return own.find(isLanguage) ?? 'en';
}

interface Loaded {
  language: Language;
  words: Words;
}

/** What is on screen; null until the first one is loaded. */
export const spoken = new Store<Loaded | null>(null);

async function load(language: Language): Promise<void> {
  const { words } = await loaders[language]();
  document.documentElement.lang = language;
  spoken.set({ language, words });
}

export const loadPreferred = (): Promise<void> => load(preferred());

export async function choose(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  await load(language);
}
