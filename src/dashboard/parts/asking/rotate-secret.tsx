import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Problem } from '../feedback/problem.tsx';
import { Dialog } from '../frames/dialog.tsx';
import { SecretOnce } from './secret-once.tsx';

interface RotateSecretProps {
  words: { title: string; lead: string; name: string; warning: string; submit: string; done: string };
  /** Makes a new secret, and answers it. */
  rotate: () => Promise<string | undefined>;
  onClose: () => void;
}

/** Says first what a new secret means; then shows it, this once. */
export function RotateSecret({ words, rotate, onClose }: RotateSecretProps) {
  const common = useTranslations('common');
  const rotation = useMutation({
    mutationFn: async () => ({ secret: await rotate() }),
    gcTime: 0,
  });
  const rotated = rotation.data;
  return (
    <Dialog title={words.title} onClose={onClose} isKept={rotated !== undefined}>
      <Stack gap="md">
        <p>{words.lead}</p>
        {rotated?.secret !== undefined && (
          <SecretOnce name={words.name} secret={rotated.secret} warning={words.warning} />
        )}
        <Problem error={rotation.error} />
        <Group justify="flex-end" gap="xs">
          {rotated === undefined ? (
            <>
              <Button variant="default" onClick={onClose}>
                {common('cancel')}
              </Button>
              <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
                {words.submit}
              </Button>
            </>
          ) : (
            <Button onClick={onClose}>{words.done}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
