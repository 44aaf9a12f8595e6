import { createRoute } from '@tanstack/react-router';
import { lazyPage } from './lazy-page.ts';
import { signedIn } from './root.ts';

const bridges = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/bridges',
  staticData: { navigation: { name: 'bridges', icon: 'bridge', group: 'operator' } },
  component: lazyPage(['bridges'], () => import('../features/bridges/bridges-page.tsx')),
});

const bridge = createRoute({
  getParentRoute: () => bridges,
  path: '$bridgeId',
  component: lazyPage(['bridges'], () => import('../features/bridges/bridge-panel.tsx')),
});

/** For the operator of the deployment. */
export const operatorRoutes = bridges.addChildren([bridge]);
