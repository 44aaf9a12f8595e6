import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { gateway } from '../../gateway/client.ts';
import { supportChanged } from '../../queries/support.ts';
import { changedSettings } from './changed-settings.ts';

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

/** The same of a dialog, which is filled once. */
export function useDialogDraft<Fields extends object>(filled: Fields | (() => Fields)) {
  const [first] = useState(filled);
  return { first, ...useDraft(first) };
}

type Changes = Parameters<typeof gateway.settings.update>[0];

/** Some of the account's settings as a form, whose fields are kept as `changesOf` says: `form` is what its page form needs. */
export function useSettingsForm<Fields extends object>(
  stored: Fields,
  changesOf: (fields: Fields) => Changes,
) {
  const { draft, change, isDirty, forget } = useDraft(stored);
  const save = useMutation({
    mutationFn: (fields: Fields) =>
      gateway.settings.update(changedSettings(changesOf(fields), changesOf(stored))),
    onSuccess: async () => {
      await supportChanged();
      forget();
    },
  });
  return { draft, change, form: { save, isDirty, onSubmit: () => save.mutate(draft) } };
}
