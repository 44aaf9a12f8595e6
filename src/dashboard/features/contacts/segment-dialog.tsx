import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CreateSegmentRequest, Segment } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { inputOf } from '../../parts/fields/input.ts';
import { FormDialog } from '../../parts/frames/dialog-form.tsx';
import { contactsChanged } from '../../queries/contacts.ts';

interface SegmentDialogProps {
  /** Null: a new one. */
  segment: Segment | null;
  filter: CreateSegmentRequest['filter'];
  onClose: () => void;
  /** Undefined: there is none any more. */
  onDone: (segmentId: string | undefined) => void;
}

/** Gives a filter a name, another name, or none any more. */
export default function SegmentDialog({ segment, filter, onClose, onDone }: SegmentDialogProps) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const [name, setName] = useState(segment?.name ?? '');
  const [isTried, setTried] = useState(false);
  const done = (segmentId: string | undefined) => {
    void contactsChanged();
    onDone(segmentId);
    onClose();
  };
  const save = useMutation({
    mutationFn: () =>
      segment === null
        ? gateway.segments.create({ name: name.trim(), filter })
        : gateway.segments.update(segment.segmentId, { name: name.trim() }),
    onSuccess: ({ segmentId }) => done(segmentId),
  });
  const remove = useMutation({
    mutationFn: (segmentId: string) => gateway.segments.delete(segmentId),
    onSuccess: () => done(undefined),
  });
  const isNamed = name.trim() !== '' && name.trim().length <= 100;
  const submit = () => {
    setTried(true);
    if (isNamed) save.mutate();
  };
  return (
    <FormDialog
      title={segment === null ? t('saveSegment') : t('editSegment')}
      step={{ error: save.error ?? remove.error, isPending: save.isPending }}
      isDirty={name !== (segment?.name ?? '') && !remove.isPending}
      noValidate
      onSubmit={submit}
      onClose={onClose}
      beside={
        segment !== null && (
          <Button
            variant="default"
            mr="auto"
            loading={remove.isPending}
            onClick={() => remove.mutate(segment.segmentId)}
          >
            {t('deleteSegment')}
          </Button>
        )
      }
    >
      <p>{t('segmentLead')}</p>
      <TextInput
        data-autofocus
        label={common('name')}
        autoComplete="off"
        error={isTried && !isNamed && t('segmentNameNeeded')}
        {...inputOf(name, setName)}
      />
    </FormDialog>
  );
}
