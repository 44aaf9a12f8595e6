import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Note } from '../feedback.tsx';
import { Dialog } from '../frames/dialog.tsx';
import { DialogForm } from '../frames/dialog-form.tsx';
import { CodeBlock } from '../values/copyable.tsx';

/** A secret that the gateway shows this once: it keeps only what it needs to recognise or use it. */
export function SecretOnce({ name, secret, warning }: { name: string; secret: string; warning: string }) {
  return (
    <Stack gap="xs">
      <Note tone="amber">{warning}</Note>
      <CodeBlock name={name} text={secret} isFolded />
    </Stack>
  );
}

interface RotateSecretProps {
  /** Whose secret it is: where the words are. */
  of: 'webhooks' | 'alerts.channels';
  /** Makes a new secret, and answers it. */
  rotate: () => Promise<string | undefined>;
  onClose: () => void;
}

/** Says first what a new secret means; then shows it, this once. */
export default function RotateSecret({ of, rotate, onClose }: RotateSecretProps) {
  const t = useTranslations(of);
  const common = useTranslations('common');
  const rotation = useMutation({ mutationFn: async () => ({ secret: await rotate() }), gcTime: 0 });
  const rotated = rotation.data;
  return (
    <Dialog title={common('newSecretTitle')} onClose={onClose} isKept={rotated !== undefined}>
      {rotated === undefined ? (
        <DialogForm
          step={rotation}
          action={common('newSecretSubmit')}
          onSubmit={() => rotation.mutate()}
          onClose={onClose}
        >
          <p>{t('rotateLead')}</p>
        </DialogForm>
      ) : (
        <Stack gap="md">
          <p>{t('rotateLead')}</p>
          {rotated.secret !== undefined && (
            <SecretOnce name={common('secretName')} secret={rotated.secret} warning={common('secretOnce')} />
          )}
          <Group justify="flex-end">
            <Button onClick={onClose}>{common('done')}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
