import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { SaveDialog } from '../../../parts/frames/dialog-form.tsx';
import { optOutsChanged } from '../../../queries/account.ts';

/** Somebody has asked for it in another way: by telephone, say. */
export default function AddOptOut({ onClose }: { onClose: () => void }) {
  const t = useTranslations('accountSettings.optOuts');
  const common = useTranslations('common');
  const [phoneNumber, setPhoneNumber] = useState('');
  const save = async () => {
    await gateway.optOuts.add(phoneNumber.trim());
    await optOutsChanged();
  };
  return (
    <SaveDialog
      title={t('add')}
      save={save}
      isDirty={phoneNumber !== ''}
      action={common('add')}
      onClose={onClose}
    >
      <p>{t('addLead')}</p>
      <TextInput
        data-autofocus
        required
        type="tel"
        autoComplete="off"
        label={common('phoneNumber')}
        description={t('phoneHint')}
        {...inputOf(phoneNumber, setPhoneNumber)}
      />
    </SaveDialog>
  );
}
