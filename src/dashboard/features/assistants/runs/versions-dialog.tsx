import { Flex, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { AssistantInstructionsList } from '../../../../sdk/index.ts';
import { More, QueryState } from '../../../parts/feedback.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { instructionsQuery } from '../../../queries/assistants.ts';
import classes from './runs.module.css';

interface Props {
  assistantId: string;
  /** The one that is shown open: a run was answered under it. */
  opened: string | null;
  onClose: () => void;
}

type Version = AssistantInstructionsList['data'][number];

/** What the assistant was told so far, and how it did under each wording. */
export default function VersionsDialog({ assistantId, opened, onClose }: Props) {
  const t = useTranslations('assistants');
  const versions = useInfiniteQuery(instructionsQuery(assistantId));
  const all = versions.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Dialog isLarge title={t('versions')} onClose={onClose}>
      <Stack gap="md">
        <Text c="dimmed">{t('versionsLead')}</Text>
        <QueryState query={versions} />
        {versions.data !== undefined && all.length === 0 && <Text c="dimmed">{t('noVersions')}</Text>}
        <ol className={classes.list}>
          {all.map((version) => (
            <VersionRow key={version.version} version={version} isOpen={version.version === opened} />
          ))}
        </ol>
        <More query={versions} />
      </Stack>
    </Dialog>
  );
}

function VersionRow({ version: it, isOpen }: { version: Version; isOpen: boolean }) {
  const t = useTranslations('assistants');
  const format = useFormatter();
  const { version, instructions, isCurrent, answered, handedOff, firstUsedAt } = it;
  const ended = answered + handedOff;
  return (
    <li>
      <details open={isOpen}>
        <summary className={classes.version}>
          <Flex component="span" gap={8} align="center">
            <code>{version}</code>
            {isCurrent && (
              <Text span p="1px 8px" bg="var(--sunken)" bdrs="md" fz="xs">
                {t('versionNow')}
              </Text>
            )}
          </Flex>
          <Hint span>
            {t('versionSince')} <Moment at={firstUsedAt} />
            {' · '}
            {t('versionAnswered', { count: answered })}
            {ended > 0 && ` · ${t('handOffRate')} ${format.number(handedOff / ended, { style: 'percent' })}`}
          </Hint>
        </summary>
        <p className={classes.text}>{instructions}</p>
      </details>
    </li>
  );
}
