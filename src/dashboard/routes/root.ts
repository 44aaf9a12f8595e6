import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { session } from '../gateway/session.ts';
import { NoSuchPage } from '../shell/no-such-page.tsx';

/** The first thing on a page: who is it. It is asked at once, and afterwards known; what goes wrong is told by the page. */
let resumed: Promise<void> | null = session.resume();
resumed.catch(() => {});

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NoSuchPage,
  beforeLoad: async () => {
    resumed ??= session.resume();
    try {
      await resumed;
    } catch (error) {
      resumed = null;
      throw error;
    }
  },
});

/** What only people who are signed in see. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const role = session.current.value?.account.role;
    const isForAgents = /^\/(inbox|operator)(\/|$)/.test(location.pathname);
    if (role === 'agent' && !isForAgents) throw redirect({ to: '/inbox' });
    if (role !== undefined) return;
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
  },
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
});

/** A text in the address of a page; undefined where there is none. */
export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
