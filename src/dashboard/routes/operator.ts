import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { session } from '../gateway/session.ts';
import { withWords } from '../words/language.ts';
import { signedIn } from './root.ts';

const bridges = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/bridges',
  beforeLoad: () => {
    if (!session.current.value?.isOperator) throw redirect({ to: '/' });
  },
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
