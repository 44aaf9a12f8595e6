import './theme/tokens.css';
import './theme/base.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import '@mantine/core/styles.layer.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { queryClient } from './gateway/query-client.ts';
import { session } from './gateway/session.ts';
import { useStore } from './gateway/store.ts';
import { preloadPage, router } from './routes/router.ts';
import { cssVariablesResolver, theme } from './theme/theme.ts';
import { type Language, loadWords, shownWords } from './words/language.ts';
import type { English, PageName } from './words/texts.ts';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    /** What is said, and in the shell's texts the names of pages: the build takes them from the features' words. */
    Messages: English & { shell: { pages: Record<PageName, string> } };
  }
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** Says everything below in the chosen language, times in the viewer's zone. */
function WordsProvider({ children }: { children: ReactNode }) {
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

let userId: string | undefined;
session.current.subscribe(() => {
  const signedIn = session.current.value;
  const nowId = signedIn === null ? undefined : `${signedIn.user.id} ${signedIn.account.id}`;
  if (nowId === userId) return;
  userId = nowId;
  // What one person has seen is not the next one's.
  queryClient.clear();
  void router.invalidate();
});

await loadWords();
// Behind the question who it is, which was asked first: a browser asks for six things at a time.
preloadPage();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element "root"');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <WordsProvider>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </WordsProvider>
    </MantineProvider>
  </StrictMode>,
);
