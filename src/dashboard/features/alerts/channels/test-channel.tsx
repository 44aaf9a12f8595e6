import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Note, Problem } from '../../../parts/feedback.tsx';
import { channelsChanged } from '../../../queries/alerts.ts';

/** A test to this channel, whether it is on or off. */
export function useTest(channelId: string) {
  return useMutation({
    mutationFn: () => gateway.alertChannels.test(channelId),
    onSuccess: () => void channelsChanged(),
  });
}

type Test = ReturnType<typeof useTest>;

export function TestButton({ test, size = 'sm' }: { test: Test; size?: 'xs' | 'sm' }) {
  const t = useTranslations('alerts.channels');
  return (
    <Button size={size} variant="default" onClick={() => test.mutate()} loading={test.isPending}>
      {t('test')}
    </Button>
  );
}

/** What came of it, where one was sent. */
export function TestResult({ test }: { test: Test }) {
  const t = useTranslations('alerts.channels');
  if (test.data === undefined) return <Problem error={test.error} />;
  const { status, error, durationMs } = test.data;
  const isDelivered = status === 'delivered';
  return (
    <Stack gap={8} role="status">
      <Note tone={isDelivered ? 'green' : 'red'} title={isDelivered ? t('testArrived') : t('testFailed')}>
        {isDelivered ? t('took', { duration: String(durationMs) }) : error}
      </Note>
    </Stack>
  );
}
