import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import { useOpenAlerts } from '../../queries/alerts.ts';
import classes from './bars.module.css';

/** Troubles that last and that nobody has said to know of. */
export function useAlertCount(): number {
  // Agents are not told of them.
  const isAgent = useStore(session.current)?.account.role === 'agent';
  return useOpenAlerts(!isAgent).filter(({ acknowledgedAt }) => acknowledgedAt === null).length;
}

const shownMax = 9;

/** Beside the link; nothing where there are none. What it says stands in the link's description. */
export function AlertCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.count} aria-hidden="true">
      {count > shownMax ? `${shownMax}+` : count}
    </span>
  );
}
