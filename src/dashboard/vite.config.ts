import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import compile from 'icu-minify/compile';
import { defineConfig, type Plugin } from 'vite';

/** Beside the pages that say them, `features/webhooks/words.es.ts`. */
const wordsFile = /[/\\]words\.\w\w\.ts$/;
const shellWords = /[/\\]shell[/\\]words\.(\w\w)\.ts$/;

type Texts = { [name: string]: string | Texts };
type Compiled = { [name: string]: unknown };

/**
 * Takes the texts apart at the build, so that no page needs what reads ICU's syntax; one that cannot be read breaks the build.
 * The shell gets the names of pages from the features' own words: `pages`.
 */
function compiledWords(): Plugin {
  let files = 0;
  return {
    name: 'compiled-words',
    async transform(_code, id) {
      if (!wordsFile.test(id)) return null;
      files += 1;
      const module = await textsIn(id);
      const [, language] = shellWords.exec(id) ?? [];
      if (language !== undefined) {
        const found = globSync(`features/*/words.${language}.ts`, { cwd: import.meta.dirname }).sort();
        const features = found.map((file) => path.join(import.meta.dirname, file));
        for (const file of features) this.addWatchFile(file);
        module.shell = { ...module.shell, pages: await pageNames(features) };
      }
      const lines = Object.entries(module).map(
        ([name, texts]) => `export const ${name} = ${JSON.stringify(compiled(texts))};`,
      );
      return { code: lines.join('\n'), map: null };
    },
    buildEnd() {
      if (files === 0) throw new Error('No texts were found to be compiled.');
    },
  };
}

/** Plain data. While somebody works on it, each change is another module. */
async function textsIn(file: string): Promise<Record<string, Texts>> {
  return { ...(await import(`${pathToFileURL(file)}?${Date.now()}`)) };
}

/** What the navigation calls each feature: its title, or a shorter name where its words have one. */
async function pageNames(files: readonly string[]): Promise<Texts> {
  const names = (await Promise.all(files.map(textsIn)))
    .flatMap((module) => Object.entries(module))
    .map(([name, { title = '', navigation = title }]) => [name, navigation]);
  return Object.fromEntries(names);
}

function compiled(texts: Texts): Compiled {
  const entries = Object.entries(texts).map(([name, text]) => [
    name,
    typeof text === 'string' ? compile(text) : compiled(text),
  ]);
  return Object.fromEntries(entries);
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react(), compiledWords()],
  resolve: {
    // The texts are compiled: what is left is to put them together.
    alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }],
  },
  build: {
    emptyOutDir: true,
    target: 'es2022',
    // Files of their own: the page may load nothing from `data:`.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: 'build.json',
    // Whose packages are in it, for scripts/build/licences.js.
    license: { fileName: '.vite/license.json' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file instead of forty small ones: zipped together they are a twentieth smaller.
            { name: 'foundation', tags: ['$initial'], test: /^(?!.*(?:main\.tsx|index\.html))/, priority: 2 },
          ],
        },
      },
    },
  },
});
