import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { showNumber } from '../../queries/numbers/numbers.ts';

interface RenameNumberProps {
  number: PhoneNumber;
  onClose: () => void;
}

export default function RenameNumber({ number, onClose }: RenameNumberProps) {
  const t = useTranslations('numbers');
  return (
    <Dialog onClose={onClose} title={t('rename')}>
      <RenameForm number={number} onDone={onClose} />
    </Dialog>
  );
}

function RenameForm({ number, onDone }: { number: PhoneNumber; onDone: () => void }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const form = useForm({ defaultValues: { label: number.label } });
  const rename = useMutation({
    mutationFn: ({ label }: { label: string }) =>
      gateway.numbers.update(number.numberId, { label: label.trim() }),
    onSuccess: (changed) => {
      showNumber(changed);
      onDone();
    },
  });
  const submit = form.handleSubmit((fields) => rename.mutate(fields));
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={t('label')}
          autoComplete="off"
          error={form.formState.errors.label && t('labelNeeded')}
          {...form.register('label', { validate: (label) => /^.{1,100}$/.test(label.trim()) })}
        />
        <Problem error={rename.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={rename.isPending}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
