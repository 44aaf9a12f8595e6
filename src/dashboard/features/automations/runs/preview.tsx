import { Flex, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Card } from '../../../parts/frames/page.tsx';
import { Icon } from '../../../parts/icon.tsx';
import classes from '../automations.module.css';
import type { Draft } from '../editor/draft.ts';

/** What the person gets, as it may look on their phone, with an example in the place of each variable. */
export function Preview({ draft }: { draft: Draft }) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const replies = draft.actions.filter(({ type }) => type === 'reply');
  const filled = (text: string) =>
    text
      .replaceAll(/\{\{\s*name\s*(\|[^{}]*)?\}\}/g, t('exampleName'))
      .replaceAll(/\{\{\s*phone\s*(\|[^{}]*)?\}\}/g, '628123456789');
  if (replies.length === 0) return null;
  return (
    <Card title={common('preview')}>
      <Stack gap={6} align="flex-start" p={14} bg="var(--sunken)" bdrs="md">
        {replies.map(({ key, text, media }) => (
          <div key={key} className={classes.bubble}>
            {media !== null && (
              <Flex component="span" gap={6} align="center" c="dimmed">
                <Icon name="image" size={16} />
                {common(`messageTypes.${media.type}`)}
              </Flex>
            )}
            {filled(media === null ? text : media.caption)}
          </div>
        ))}
      </Stack>
    </Card>
  );
}
