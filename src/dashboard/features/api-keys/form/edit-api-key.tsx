import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { showApiKey } from '../../../queries/developers/api-keys.ts';
import { KeyFields } from './key-fields.tsx';
import { changesOf, fieldsOf } from './key-form.ts';

/** What a key may do from its next request on. */
export default function EditApiKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTranslations('apiKeys');
  return (
    <FieldsDialog
      title={t('editTitle', { name: apiKey.name })}
      first={fieldsOf(apiKey)}
      save={(fields) => gateway.apiKeys.update(apiKey.id, changesOf(fields))}
      onSaved={(stored) => {
        showApiKey(stored);
        onClose();
      }}
      onClose={onClose}
    >
      <KeyFields />
    </FieldsDialog>
  );
}
