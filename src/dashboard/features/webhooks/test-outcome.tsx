import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { TestOutcome } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Note, Problem } from '../../parts/feedback.tsx';
import { CodeBlock } from '../../parts/values/copyable.tsx';
import { webhooksChanged } from '../../queries/developers/webhooks.ts';

/** A test event to this webhook, whether it is on or off. */
export function useTestEvent(webhookId: string) {
  return useMutation({
    mutationFn: () => gateway.webhooks.test(webhookId),
    onSuccess: () => void webhooksChanged(),
  });
}

type TestEvent = ReturnType<typeof useTestEvent>;

export function TestButton({ test, size = 'sm' }: { test: TestEvent; size?: 'xs' | 'sm' }) {
  const t = useTranslations('webhooks');
  return (
    <Button size={size} variant="default" onClick={() => test.mutate()} loading={test.isPending}>
      {t('test')}
    </Button>
  );
}

/** What came of it, where one was sent. */
export function TestResult({ test }: { test: TestEvent }) {
  if (test.data === undefined) return <Problem error={test.error} />;
  return <Outcome outcome={test.data} />;
}

/** The answer of the receiver, or why there was none. */
function Outcome({ outcome }: { outcome: TestOutcome }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const { status, statusCode, error, responseSnippet } = outcome;
  const isDelivered = status === 'delivered';
  const duration = String(outcome.durationMs);
  return (
    <Stack gap={8} role="status">
      <Note tone={isDelivered ? 'green' : 'red'} title={isDelivered ? t('testArrived') : t('testFailed')}>
        {statusCode === null
          ? t('noAnswer', { error: error ?? '', duration })
          : t('answered', { code: String(statusCode), duration })}
      </Note>
      {responseSnippet !== null && responseSnippet !== '' && (
        <CodeBlock name={common('response')} text={responseSnippet} isFolded />
      )}
    </Stack>
  );
}
