import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';

const UnsavedDialog = lazy(() => import('./unsaved-dialog.tsx'));

/** A page of its own, by its path or by its tab. What else is in the address, such as a filter, is part of the page. */
const pageOf = ({ pathname, search }: { pathname: string; search: object }) =>
  `${pathname} ${'tab' in search ? search.tab : ''}`;

interface UnsavedProps {
  isDirty: boolean;
  /** It stands in a dialog, which goes with any step back. */
  isDialog?: boolean;
  /** It was asked to close otherwise. */
  asked?: { onKeep: () => void; onDiscard: () => void };
}

/** Asks before a form with changes is left; the browser itself asks before it reloads or closes the tab. */
export function Unsaved({ isDirty, isDialog = false, asked }: UnsavedProps) {
  const blocker = useBlocker({
    // Whoever has to sign in again has no page to stay on.
    shouldBlockFn: ({ current, next }) =>
      isDirty && next.pathname !== '/sign-in' && (isDialog || pageOf(current) !== pageOf(next)),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const { proceed } = blocker;
  // The form is gone by itself, with what it was about: nothing is left to keep.
  useEffect(() => () => proceed?.(), [proceed]);
  return (
    <Suspense>
      {blocker.status === 'blocked' && <UnsavedDialog onKeep={blocker.reset} onDiscard={blocker.proceed} />}
      {blocker.status !== 'blocked' && asked !== undefined && <UnsavedDialog {...asked} />}
    </Suspense>
  );
}
