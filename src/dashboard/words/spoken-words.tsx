import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { useStore } from '../gateway/store.ts';
import type { words as english } from './en/words.ts';
import { type Language, spoken } from './language.ts';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: typeof english;
  }
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** Says everything below in the chosen language, times in the viewer's zone. */
export function SpokenWords({ children }: { children: ReactNode }) {
  const loaded = useStore(spoken);
  if (loaded === null) return null;
  return (
    // A language has every text (language.ts), which is more than the provider's type can say.
    <IntlProvider locale={loaded.language} messages={loaded.words as never} timeZone={timeZone}>
      {children}
    </IntlProvider>
  );
}
