import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../words/language.ts';
import { signedIn } from './root.ts';

const bridges = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/bridges',
  staticData: { navigation: { name: 'bridges', icon: 'bridge', group: 'operator' } },
  component: lazyRouteComponent(
    withWords(['bridges'], () => import('../features/bridges/bridges-page.tsx')),
    'BridgesPage',
  ),
});

const bridge = createRoute({
  getParentRoute: () => bridges,
  path: '$bridgeId',
  component: lazyRouteComponent(
    withWords(['bridges'], () => import('../features/bridges/bridge-panel.tsx')),
    'BridgePanel',
  ),
});

/** For the operator of the deployment. */
export const operatorRoutes = bridges.addChildren([bridge]);
