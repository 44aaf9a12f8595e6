import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';

const UnsavedDialog = lazy(() => import('./unsaved-dialog.tsx'));

/** A page of its own, by its path or by its tab. What else is in the address, such as a filter, is part of the page. */
const pageOf = ({ pathname, search }: { pathname: string; search: object }) =>
  `${pathname} ${'tab' in search ? search.tab : ''}`;

/** Asks before a form with changes is left; the browser itself asks before it reloads or closes the tab. */
export function Unsaved({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    // Whoever has to sign in again has no page to stay on.
    shouldBlockFn: ({ current, next }) =>
      isDirty && next.pathname !== '/sign-in' && pageOf(current) !== pageOf(next),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const { proceed } = blocker;
  // The form is gone by itself, with what it was about: nothing is left to keep.
  useEffect(() => () => proceed?.(), [proceed]);
  return (
    <Suspense>
      {blocker.status === 'blocked' && <UnsavedDialog onKeep={blocker.reset} onDiscard={blocker.proceed} />}
    </Suspense>
  );
}
