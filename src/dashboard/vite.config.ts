import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledWords } from './compiled-words.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react(), compiledWords()],
  resolve: {
    // The texts are compiled (compiled-words.ts): what is left is to put them together.
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
