import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import compile from 'icu-minify/compile';
import { defineConfig, type Plugin } from 'vite';

/** Beside the pages that say them, `features/webhooks/words.es.ts`. */
const wordsFile = /[/\\]words\.\w\w\.ts$/;

type Texts = { [name: string]: string | Texts };
type Compiled = { [name: string]: unknown };

/** Takes the texts apart at the build, so that no page needs what reads ICU's syntax; one that cannot be read breaks the build. */
function compiledWords(): Plugin {
  let files = 0;
  return {
    name: 'compiled-words',
    async transform(_code, id) {
      if (!wordsFile.test(id)) return null;
      files += 1;
      // Plain data. While somebody works on it, each change is another module.
      const module: Record<string, Texts> = await import(`${pathToFileURL(id)}?${Date.now()}`);
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
