import { Select, Switch, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { isUrl } from '../../../parts/fields/allowed-values.ts';
import { choiceOf, fieldOf } from '../../../parts/fields/fields.ts';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { documentsChanged } from '../../../queries/assistants.ts';

interface Props {
  assistantId: string;
  onClose: () => void;
}

const never = '0';
const exampleUrl = 'https://example.com/help';

/** A page that the assistant is to know, or all pages of a sitemap. */
export default function UrlDialog({ onClose, assistantId }: Props) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  return (
    <FieldsDialog
      title={t('addUrl')}
      isSmall
      first={{ url: '', isSitemap: false, hours: '24' }}
      create={common('add')}
      save={({ url, isSitemap, hours }) =>
        gateway.assistants.addDocument(assistantId, {
          url: url.trim(),
          ...(isSitemap && { isSitemap }),
          rereadHours: hours === never ? null : Number(hours),
        })
      }
      onSaved={() => {
        documentsChanged(assistantId);
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            data-autofocus
            type="url"
            label={t('url')}
            placeholder={exampleUrl}
            autoComplete="off"
            {...fieldOf(form, 'url', { validate: (url) => isUrl(url) || common('urlNeeded') })}
          />
          <Switch label={t('isSitemap')} description={t('isSitemapHint')} {...form.register('isSitemap')} />
          <Select
            label={t('reread')}
            data={[
              { value: '1', label: t('rereadHourly') },
              { value: '24', label: t('rereadDaily') },
              { value: '168', label: t('rereadWeekly') },
              { value: never, label: common('never') },
            ]}
            {...choiceOf(form, 'hours')}
          />
        </>
      )}
    </FieldsDialog>
  );
}
