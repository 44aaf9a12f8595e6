import { lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../words/language.ts';

/** A page, loaded when somebody goes there, with the words of these folders of `features/`; `name`: of a file with several. */
export const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module = 'default'>(
  words: readonly string[],
  load: () => Promise<Module>,
  name?: Name,
) => lazyRouteComponent<Module, Name>(withWords(words, load), name);
