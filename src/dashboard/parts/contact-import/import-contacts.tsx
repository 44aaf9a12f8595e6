import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ContactImport } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { contactsChanged } from '../../queries/contacts/contacts.ts';
import { Dialog } from '../frames/dialog.tsx';
import { ChooseFile } from './choose-file.tsx';
import type { FileHead } from './columns.ts';
import { ImportResult } from './import-result.tsx';
import { type ImportChoices, MapColumns } from './map-columns.tsx';

/** A file of 100 MiB over a slow line. */
const uploadMsMax = 30 * 60_000;

interface Chosen {
  file: File;
  head: FileHead;
  /** The same for every attempt, so that a repeat takes nobody twice. */
  importId: string;
}

interface ImportContactsProps {
  onClose: () => void;
  /** Where something is to be done with the people of the file. */
  onUse?: (imported: ContactImport) => void;
}

/** A file, what its columns are, and what came of it. */
export default function ImportContacts({ onClose, onUse }: ImportContactsProps) {
  const t = useTranslations('contacts.import');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [shownId, setShownId] = useState<string | null>(null);
  const upload = useMutation({
    mutationFn: ({ file, importId, ...choices }: ImportChoices & Pick<Chosen, 'file' | 'importId'>) =>
      gateway.contacts.importFile(file, {
        ...choices,
        importId,
        fileName: file.name.slice(0, 200),
        timeoutMs: uploadMsMax,
      }),
    onSuccess: ({ importId }) => {
      setShownId(importId);
      void contactsChanged();
    },
  });
  return (
    <Dialog isLarge title={t('title')} onClose={onClose}>
      {shownId !== null ? (
        <ImportResult importId={shownId} onDone={onClose} onUse={onUse} />
      ) : chosen === null ? (
        <ChooseFile
          onChosen={(file, head) => setChosen({ file, head, importId: crypto.randomUUID() })}
          onShow={setShownId}
        />
      ) : (
        <MapColumns
          fileName={chosen.file.name}
          head={chosen.head}
          isBusy={upload.isPending}
          error={upload.error}
          onBack={() => {
            upload.reset();
            setChosen(null);
          }}
          onImport={(choices) => upload.mutate({ ...choices, file: chosen.file, importId: chosen.importId })}
        />
      )}
    </Dialog>
  );
}
