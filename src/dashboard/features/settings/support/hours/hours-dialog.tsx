import { Autocomplete, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { weekdays } from '../../../../../contract/times.ts';
import type { BusinessHours } from '../../../../../sdk/index.ts';
import { gateway } from '../../../../gateway/client.ts';
import { timeZones } from '../../../../parts/fields/time-zones.ts';
import { Dialog } from '../../../../parts/frames/dialog.tsx';
import { DialogForm } from '../../../../parts/frames/dialog-form.tsx';
import { supportChanged } from '../../../../queries/support.ts';
import { ChosenNumbers } from '../chosen-numbers.tsx';
import { HolidaysEditor } from './holidays-editor.tsx';
import { WeekEditor } from './week-editor.tsx';

type Draft = Pick<BusinessHours, 'name' | 'timeZone' | 'spans' | 'holidays' | 'numberIds'>;

/** What most people begin with, where the viewer is. */
const usual = (): Draft => ({
  name: '',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  spans: weekdays.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:00' })),
  holidays: [],
  numberIds: 'all',
});

const draftOf = ({ name, timeZone, spans, holidays, numberIds }: BusinessHours): Draft => ({
  name,
  timeZone,
  spans,
  holidays,
  numberIds,
});

/** New business hours, or those that are there. */
export default function HoursDialog({
  hours,
  onClose,
}: {
  hours: BusinessHours | null;
  onClose: () => void;
}) {
  const t = useTranslations('support.hours');
  return (
    <Dialog title={hours === null ? t('add') : t('edit')} onClose={onClose} isLarge>
      <HoursForm hours={hours} onDone={onClose} />
    </Dialog>
  );
}

function HoursForm({ hours, onDone }: { hours: BusinessHours | null; onDone: () => void }) {
  const t = useTranslations('support.hours');
  const [draft, setDraft] = useState<Draft>(() => (hours === null ? usual() : draftOf(hours)));
  const change = (more: Partial<Draft>) => setDraft({ ...draft, ...more });
  const save = useMutation({
    mutationFn: (body: Draft) =>
      hours === null
        ? gateway.businessHours.create(body)
        : gateway.businessHours.update(hours.businessHoursId, body),
    onSuccess: async () => {
      await supportChanged();
      onDone();
    },
  });
  return (
    <DialogForm
      step={save}
      canSubmit={draft.spans.length > 0}
      onSubmit={() => save.mutate(draft)}
      onCancel={onDone}
    >
      <TextInput
        data-autofocus
        required
        withAsterisk={false}
        label={t('name')}
        placeholder={t('nameExample')}
        maxLength={100}
        value={draft.name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <Autocomplete
        required
        withAsterisk={false}
        label={t('zone')}
        data={timeZones}
        limit={40}
        value={draft.timeZone}
        onChange={(timeZone) => change({ timeZone })}
      />
      <WeekEditor spans={draft.spans} onChange={(spans) => change({ spans })} />
      <HolidaysEditor holidays={draft.holidays} onChange={(holidays) => change({ holidays })} />
      <ChosenNumbers value={draft.numberIds} onChange={(numberIds) => change({ numberIds })} />
    </DialogForm>
  );
}
