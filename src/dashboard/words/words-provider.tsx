import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { useStore } from '../gateway/store.ts';
import { type Language, shownWords } from './language.ts';
import type { English } from './texts.ts';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: English;
  }
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** Says everything below in the chosen language, times in the viewer's zone. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const loaded = useStore(shownWords);
  if (loaded === null) return null;
  const { language, words } = loaded;
  // Times and figures as they are written where the viewer is, if that is a place of this language.
  const tag = navigator.languages.find((own) => own.split('-')[0] === language) ?? language;
  return (
    // A language has every text (language.ts), which is more than the provider's type can say.
    <IntlProvider locale={tag as Language} messages={words as never} timeZone={timeZone}>
      {children}
    </IntlProvider>
  );
}
