import './theme/tokens.css';
import './theme/base.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import '@mantine/core/styles.layer.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './gateway/query-client.ts';
import { session } from './gateway/session.ts';
import { preloadPage, router } from './routes/router.ts';
import { cssVariablesResolver, theme } from './theme/theme.ts';
import { loadWords } from './words/language.ts';
import { WordsProvider } from './words/words-provider.tsx';

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
