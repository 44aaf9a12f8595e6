import { Box, Group, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { DryRun } from '../../../sdk/index.ts';
import { Status, type Tone } from '../../parts/feedback.tsx';
import { useNumberLabel } from '../../queries/numbers.ts';

const fitnessTone: Record<DryRun['senders'][number]['fitness'], Tone> = {
  ready: 'green',
  waiting: 'amber',
  unfit: 'grey',
};

/** Whether it would be taken, who would send it and when, and what speaks against each number. */
export default function DryRunResult({ result }: { result: DryRun }) {
  const t = useTranslations('messages.send');
  const held = useTranslations('messages.held');
  const format = useFormatter();
  const label = useNumberLabel();
  const labelOf = (id: string) => label(id) ?? id;
  const { accepted, sender, expectedAt, heldReason, reasons, senders } = result;
  return (
    <Stack
      component="section"
      gap="xs"
      align="flex-start"
      p="14px 16px"
      bg="var(--sunken)"
      bdrs="md"
      role="status"
    >
      <Status tone={accepted ? 'green' : 'red'}>{accepted ? t('wouldGo') : t('wouldNotGo')}</Status>
      {accepted && sender !== null && (
        <p>
          {t('wouldBy', { number: labelOf(sender.numberId) })}{' '}
          {expectedAt !== null &&
            t('wouldAt', { time: format.dateTime(new Date(expectedAt), { timeStyle: 'medium' }) })}{' '}
          {heldReason !== null && held(heldReason)}
        </p>
      )}
      {reasons.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
      <Stack component="ul" gap={8}>
        {senders.map(({ numberId, fitness, reason }) => (
          <Group component="li" gap={8} align="baseline" key={numberId}>
            <Status tone={fitnessTone[fitness]}>{t(`fitness.${fitness}`)}</Status>
            <Box component="b" fw={550}>
              {labelOf(numberId)}
            </Box>
            <Text span c="dimmed">
              {reason}
            </Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
