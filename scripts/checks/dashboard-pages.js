// What src/dashboard/routes/ says of the pages: which words come with each.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folders whose words are said on every page, and loaded before the first one. */
export const wordsOfAllPages = ['parts', 'shell'];

/** What is loaded, and the folders whose words come with it: `withWords(['webhooks'], () => import('…'))`, or `lazyPage` in the same way. */
export function* loadedWithWords(text) {
  const load = /(?:withWords|lazyPage)\(\s*\[([^\]]*)\],\s*\(\) => import\('(\.[^']+)'\)/g;
  for (const [, names, file] of text.matchAll(load)) {
    yield { file, words: [...names.matchAll(/'([^']+)'/g)].map(([, name]) => `features/${name}`) };
  }
}

/** `{page: 'features/numbers/numbers-page.tsx', feature: 'numbers', words: ['features/numbers']}`, and so on. */
export function dashboardPages(projectRoot) {
  const folder = path.join(projectRoot, 'src', 'dashboard', 'routes');
  return readdirSync(folder)
    .flatMap((file) => [...loadedWithWords(readFileSync(path.join(folder, file), 'utf8'))])
    .map(({ file, words }) => {
      const page = path.posix.join('routes', file);
      return { page, feature: page.split('/')[1], words };
    });
}
