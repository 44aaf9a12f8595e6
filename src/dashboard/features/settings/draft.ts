import { useState } from 'react';

/** What is stored with what somebody has changed of it and not saved yet. */
export function useDraft<Fields extends object>(stored: Fields) {
  const [changes, setChanges] = useState<Partial<Fields>>({});
  const draft = { ...stored, ...changes };
  return {
    draft,
    isDirty: JSON.stringify(draft) !== JSON.stringify(stored),
    change: (more: Partial<Fields>) => setChanges((before) => ({ ...before, ...more })),
    /** After saving: what is shown is what was stored. */
    forget: () => setChanges({}),
  };
}
