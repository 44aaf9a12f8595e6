import { useRouter } from '@tanstack/react-router';
import { Problem } from '../parts/feedback/problem.tsx';
import classes from './failed.module.css';

/** In the place of a page that could not be shown. */
export function Failed({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <div className={classes.failed}>
      <Problem error={error} onRetry={() => void router.invalidate()} />
    </div>
  );
}
