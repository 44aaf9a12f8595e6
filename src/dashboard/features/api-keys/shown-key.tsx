import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { SecretOnce } from '../../parts/asking/secret-once.tsx';
import { CodeBlock } from '../../parts/values/code/code-block.tsx';
import { type SnippetLanguage, sendSnippet, snippetLanguages } from './send-snippets.ts';

/** The new key, this once, and a first message with it in four languages. */
export function ShownKey({ secret, onDone }: { secret: string; onDone: () => void }) {
  const t = useTranslations('apiKeys');
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  return (
    <Stack gap="md">
      <SecretOnce name={t('secretName')} secret={secret} warning={t('shownOnce')} />
      <Stack gap="xs">
        <h3>{t('snippetTitle')}</h3>
        <SegmentedControl
          aria-label={t('snippetLanguage')}
          data={[...snippetLanguages]}
          value={language}
          onChange={setLanguage}
        />
        <CodeBlock name={t('snippetName')} text={sendSnippet[language](window.location.origin, secret)} />
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
