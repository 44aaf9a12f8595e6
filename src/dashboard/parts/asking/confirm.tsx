import { lazy, Suspense } from 'react';
import type { ConfirmProps } from './confirm-dialog.tsx';

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

/** Asks before what cannot be taken back, and does it: says that it runs, what went wrong, and closes once it is done. */
export function Confirm(props: ConfirmProps) {
  return (
    <Suspense>
      <ConfirmDialog {...props} />
    </Suspense>
  );
}
