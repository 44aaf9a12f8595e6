import { createRoute, redirect } from '@tanstack/react-router';
import { session } from '../gateway/session.ts';
import { lazyPage } from './lazy-page.ts';
import { root, text } from './root.ts';

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = text(search.next);
    // Only a path of this page: not another host, nor `//host`.
    return next !== undefined && /^\/(?![/\\])/.test(next) ? { next } : {};
  },
  beforeLoad: ({ search }) => {
    if (session.current.value !== null) throw redirect({ href: search.next ?? '/' });
  },
  component: lazyPage(['sign-in'], () => import('../features/sign-in/sign-in-page.tsx')),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: lazyPage(['sign-in'], () => import('../features/sign-in/register-page.tsx')),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: '/password/forgot',
  component: lazyPage(['sign-in'], () => import('../features/sign-in/mailed-pages.tsx'), 'ForgotPage'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/password/reset',
  component: lazyPage(['sign-in'], () => import('../features/sign-in/mailed-pages.tsx'), 'ResetPage'),
});

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyPage(['sign-in'], () => import('../features/sign-in/mailed-pages.tsx'), 'VerifyPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(['sign-in'], () => import('../features/sign-in/invitation-page.tsx')),
});

const alertAddress = createRoute({
  getParentRoute: () => root,
  path: '/alerts/confirm',
  component: lazyPage(['alerts'], () => import('../features/sign-in/mailed-pages.tsx'), 'AlertAddressPage'),
});

/** Pages for people who are not signed in. */
export const signedOutRoutes = [signIn, register, forgot, reset, verify, invitation, alertAddress] as const;
