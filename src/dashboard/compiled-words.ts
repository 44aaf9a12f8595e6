import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

/** Beside the pages that say them, `features/webhooks/words.es.ts`. */
const wordsFile = /[/\\]words\.\w\w\.ts$/;

type Texts = { [name: string]: string | Texts };
type Compiled = { [name: string]: unknown };

/** Takes the texts apart at the build, so that no page needs what reads ICU's syntax; one that cannot be read breaks the build. */
export function compiledWords(): Plugin {
  let files = 0;
  return {
    name: 'compiled-words',
    async transform(code, id) {
      if (!wordsFile.test(id)) return null;
      files += 1;
      // Plain data, and its types are gone by now.
      const module: Record<string, Texts> = await import(`data:text/javascript,${encodeURIComponent(code)}`);
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
