import { useState } from 'react';

/** Whether a form holds something else than when it was opened. */
export function useIsChanged(fields: unknown): boolean {
  const now = JSON.stringify(fields);
  const [first] = useState(now);
  return now !== first;
}
