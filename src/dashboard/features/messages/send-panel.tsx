import { Button, Group, InputBase, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SendMessageRequest } from '../../../sdk/index.ts';
import { testSender } from '../../gateway/test-key.ts';
import { Problem } from '../../parts/feedback.tsx';
import { inputOf } from '../../parts/fields/input.ts';
import { useIsChanged } from '../../parts/fields/is-changed.ts';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { Unsaved } from '../../parts/frames/unsaved.tsx';
import { useNumberOptions } from '../../queries/numbers.ts';

const DryRunResult = lazy(() => import('./dry-run-result.tsx'));

const textMax = 4096;

interface Fields {
  to: string;
  text: string;
  senderHint: string;
}

const requestOf = ({ to, text, senderHint }: Fields): SendMessageRequest => ({
  to: to.trim(),
  text,
  ...(senderHint !== '' && { senderHint }),
});

/** A test message, and beside it what it would come to. */
export default function SendPanel() {
  const t = useTranslations('messages.send');
  const common = useTranslations('common');
  const messages = useTranslations('messages');
  const search = useSearch({ strict: false }) as { to?: string; text?: string };
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/messages' });
  const numbers = useNumberOptions();
  const [fields, setFields] = useState<Fields>({
    to: search.to ?? '',
    text: search.text ?? t('textDefault'),
    senderHint: '',
  });
  const [isTried, setTried] = useState(false);
  const textLength = fields.text.trim() === '' ? 0 : fields.text.length;
  const errors = {
    to: fields.to.trim() === '' && t('toNeeded'),
    text: (textLength === 0 || textLength > textMax) && t('textNeeded'),
  };
  const change = (changes: Partial<Fields>) => setFields((before) => ({ ...before, ...changes }));
  /** Only what can be sent; otherwise it says what is missing. */
  const whenWhole = (act: (whole: Fields) => void) => {
    setTried(true);
    if (!errors.to && !errors.text) act(fields);
  };
  const dryRun = useMutation({
    mutationFn: async (fields: Fields) => (await testSender()).messages.dryRun(requestOf(fields)),
  });
  const send = useMutation({
    mutationFn: async (fields: Fields) => (await testSender()).messages.send(requestOf(fields)),
    onSuccess: ({ messageId }) => navigate({ to: '/messages/$messageId', params: { messageId } }),
  });
  const isDirty = useIsChanged(fields) && !send.isPending;
  return (
    <SidePanel title={messages('sendTest')} subtitle={t('lead')} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          whenWhole(send.mutate);
        }}
        noValidate
      >
        <Unsaved isDirty={isDirty} />
        <Stack gap="md">
          <TextInput
            label={common('to')}
            description={common('toHint')}
            inputMode="tel"
            autoComplete="off"
            error={isTried && errors.to}
            {...inputOf(fields.to, (to) => change({ to }))}
          />
          <InputBase
            component="textarea"
            multiline
            rows={4}
            label={common('text')}
            error={isTried && errors.text}
            {...inputOf(fields.text, (text) => change({ text }))}
          />
          <NativeSelect
            label={t('sender')}
            data={[{ value: '', label: t('senderAny') }, ...numbers]}
            {...inputOf(fields.senderHint, (senderHint) => change({ senderHint }))}
          />
          <Problem error={send.error ?? dryRun.error} />
          <Group gap="xs">
            <Button type="submit" loading={send.isPending}>
              {common('send')}
            </Button>
            <Button variant="default" loading={dryRun.isPending} onClick={() => whenWhole(dryRun.mutate)}>
              {t('dryRun')}
            </Button>
          </Group>
          <Suspense>{dryRun.data !== undefined && <DryRunResult result={dryRun.data} />}</Suspense>
        </Stack>
      </form>
    </SidePanel>
  );
}
