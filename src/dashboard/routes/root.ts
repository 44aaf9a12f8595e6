import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { live } from '../gateway/live.ts';
import { session } from '../gateway/session.ts';
import { NoSuchPage } from '../shell/failed.tsx';
import { isFor } from '../shell/navigation.ts';

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
  beforeLoad: ({ location, matches }) => {
    const who = session.current.value;
    if (who === null)
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
    const isAgent = who.account.role === 'agent';
    const entry = matches.map(({ staticData }) => staticData.navigation).find((one) => one !== undefined);
    const mayOpen = entry === undefined ? !isAgent : isFor(who, entry);
    if (!mayOpen) throw redirect({ to: isAgent ? '/inbox' : '/' });
    // The code of the page is loaded meanwhile.
    if (!isAgent) live.prepare();
  },
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
});

/** A text in the address of a page; undefined where there is none. */
export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What the address of a page chooses of some names; nothing where it says anything else. */
export const oneOf =
  <Key extends string, Name extends string>(key: Key, names: readonly Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Key, Name>> => {
    const chosen = names.find((name) => name === search[key]);
    return chosen === undefined ? {} : ({ [key]: chosen } as Record<Key, Name>);
  };
