import { Problem } from './problem.tsx';
import { Waiting } from './waiting.tsx';

export interface QueryStateProps {
  query: { error: unknown; isPending: boolean; refetch: () => unknown };
  /** Of what stands in its place meanwhile. */
  rows?: number;
  height?: number;
}

/** While something is asked for, rows in its place; where that failed, why, and a button that asks again. */
export function QueryState({ query, ...place }: QueryStateProps) {
  return (
    <>
      {query.isPending && <Waiting {...place} />}
      <Problem error={query.error} onRetry={() => void query.refetch()} />
    </>
  );
}
