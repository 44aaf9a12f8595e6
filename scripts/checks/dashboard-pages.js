// What src/dashboard/routes/ says of the pages: which words come with each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Said on every page, and loaded before the first one. */
export const wordsOfAllPages = ['common', 'problems', 'shell'];

/** `{page: 'features/numbers/numbers-page.tsx', feature: 'numbers', words: ['numbers']}`, and so on. */
export function dashboardPages(projectRoot) {
  const folder = path.join(projectRoot, 'src', 'dashboard', 'routes');
  const text = readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('');
  const route = /withWords\(\s*\[([^\]]*)\],\s*\(\) => import\('\.\.\/(features\/([^/']+)\/[^']+)'\)/g;
  return [...text.matchAll(route)].map(([, words, page, feature]) => ({
    page,
    feature,
    words: [...words.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  }));
}

/** The file of these words in English, from src/dashboard; it stands in one of the rooms there. */
export function wordsFile(projectRoot, name) {
  const folder = path.join(projectRoot, 'src', 'dashboard', 'words', 'en');
  const file = `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  const room = readdirSync(folder).find((entry) => existsSync(path.join(folder, entry, file)));
  return `words/en/${room}/${file}`;
}
