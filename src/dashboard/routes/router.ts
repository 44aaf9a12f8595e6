import { createRouter } from '@tanstack/react-router';
import { session } from '../gateway/session.ts';
import { Failed, NoSuchPage } from '../shell/failed.tsx';
import { automaticRoutes } from './automatic.ts';
import { alertRoutes, dailyRoutes, sendingRoutes } from './daily.ts';
import { developerRoutes } from './developer.ts';
import { operatorRoutes } from './operator.ts';
import { root, signedIn } from './root.ts';
import { settingsRoutes } from './settings.ts';
import { signedOutRoutes } from './signed-out.ts';

const routeTree = root.addChildren([
  ...signedOutRoutes,
  // In the order of the navigation.
  signedIn.addChildren([
    ...dailyRoutes,
    ...automaticRoutes,
    ...sendingRoutes,
    ...developerRoutes,
    ...alertRoutes,
    settingsRoutes,
    operatorRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NoSuchPage,
  scrollRestoration: true,
});

/** Loads the page that was asked for while it is asked who wants to see it. */
export function preloadPage(): void {
  if (!session.mayResume) return;
  const [matched] = router.getMatchedRoutes(window.location.pathname);
  for (const { options } of matched) {
    const { component } = options as { component?: { preload?: () => Promise<void> } };
    // It is loaded once more, and the failure told, when it is drawn.
    component?.preload?.().catch(() => {});
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
