import { Autocomplete, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Weekday, weekdays } from '../../../../contract/times.ts';
import type { BusinessHours } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { timeZones } from '../../../parts/fields/allowed-values.ts';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { SaveDialog } from '../../../parts/frames/dialog-form.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { supportChanged } from '../../../queries/support.ts';
import { useDialogDraft } from '../draft.ts';
import { ChosenNumbers } from './chosen-numbers.tsx';
import classes from './support.module.css';
import { isOverMidnight, type Span, useDayName } from './times.ts';

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

interface HoursDialogProps {
  hours: BusinessHours | null;
  onClose: () => void;
}

/** New business hours, or those that are there. */
export default function HoursDialog({ hours, onClose }: HoursDialogProps) {
  const t = useTranslations('support.hours');
  const common = useTranslations('common');
  const { first, draft, change, isDirty } = useDialogDraft<Draft>(() =>
    hours === null ? usual() : draftOf(hours),
  );
  const save = async () => {
    if (hours === null) await gateway.businessHours.create(draft);
    else await gateway.businessHours.update(hours.businessHoursId, changedFields(draft, first));
    await supportChanged();
  };
  return (
    <SaveDialog
      title={hours === null ? t('add') : t('title')}
      isLarge
      save={save}
      isDirty={isDirty}
      canSubmit={draft.spans.length > 0}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={common('name')}
        placeholder={t('nameExample')}
        maxLength={100}
        {...inputOf(draft.name, (name) => change({ name }))}
      />
      <Autocomplete
        required
        label={common('timeZone')}
        data={timeZones}
        limit={40}
        value={draft.timeZone}
        onChange={(timeZone) => change({ timeZone })}
      />
      <WeekEditor spans={draft.spans} onChange={(spans) => change({ spans })} />
      <HolidaysEditor holidays={draft.holidays} onChange={(holidays) => change({ holidays })} />
      <ChosenNumbers value={draft.numberIds} onChange={(numberIds) => change({ numberIds })} />
    </SaveDialog>
  );
}

type Holiday = BusinessHours['holidays'][number];

interface HolidaysEditorProps {
  holidays: readonly Holiday[];
  onChange: (holidays: Holiday[]) => void;
}

/** Dates on which nobody works. */
function HolidaysEditor({ holidays, onChange }: HolidaysEditorProps) {
  const t = useTranslations('support.hours');
  const change = (at: number, more: Partial<Holiday>) =>
    onChange(holidays.map((holiday, index) => (index === at ? { ...holiday, ...more } : holiday)));
  return (
    <Stack gap="xs" role="group" aria-label={t('holidays')}>
      <h3>{t('holidays')}</h3>
      <Text c="dimmed">{t('holidaysHint')}</Text>
      {holidays.map((holiday, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a holiday has no name but its place.
        <Group key={index} gap={8}>
          <TextInput
            type="date"
            w={160}
            aria-label={t('date')}
            {...inputOf(holiday.date, (date) => change(index, { date }))}
          />
          <TextInput
            flex="1 1 140px"
            miw={0}
            aria-label={t('holidayName')}
            placeholder={t('holidayName')}
            maxLength={100}
            {...inputOf(holiday.name, (name) => change(index, { name }))}
          />
          <IconButton
            icon="close"
            iconSize={16}
            name={t('removeHoliday', { date: holiday.date })}
            color="gray"
            onClick={() => onChange(holidays.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...holidays, { date: '', name: '' }])}
        >
          {t('addHoliday')}
        </Button>
      </div>
    </Stack>
  );
}

/** The end of the day is no time that a field knows: midnight is. */
const shownEnd = (to: string) => (to === '24:00' ? '00:00' : to);
const storedEnd = (to: string) => (to === '00:00' ? '24:00' : to);

interface WeekEditorProps {
  spans: readonly Span[];
  onChange: (spans: Span[]) => void;
}

/** The spans of each day of the week, so many as one likes. */
function WeekEditor({ spans, onChange }: WeekEditorProps) {
  const t = useTranslations('support.hours');
  const dayName = useDayName();
  const change = (at: number, more: Partial<Span>) =>
    onChange(spans.map((span, index) => (index === at ? { ...span, ...more } : span)));
  const add = (day: Weekday) => {
    const last = spans.filter((span) => span.day === day).at(-1);
    // Behind what is there, where that leaves room.
    const from = last === undefined || isOverMidnight(last) || last.to >= '20:00' ? '09:00' : last.to;
    onChange([...spans, { day, from, to: from === '09:00' ? '17:00' : '21:00' }]);
  };
  return (
    <section aria-label={t('week')}>
      {weekdays.map((day) => (
        <div key={day} className={classes.day}>
          <div className={classes.dayName}>{dayName(day)}</div>
          <Stack gap={8} align="flex-start">
            {spans.map((span, index) =>
              span.day === day ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a span has no name but its place.
                <Group key={index} gap={8}>
                  <TextInput
                    type="time"
                    w={138}
                    aria-label={t('begins', { day: dayName(day) })}
                    {...inputOf(span.from, (from) => change(index, { from }))}
                  />
                  <span aria-hidden="true">{'–'}</span>
                  <TextInput
                    type="time"
                    w={138}
                    aria-label={t('ends', { day: dayName(day) })}
                    {...inputOf(shownEnd(span.to), (value) => change(index, { to: storedEnd(value) }))}
                  />
                  <IconButton
                    icon="close"
                    iconSize={16}
                    name={t('removeSpan', { day: dayName(day), from: span.from })}
                    color="gray"
                    onClick={() => onChange(spans.filter((_, at) => at !== index))}
                  />
                  {span.from !== '' && span.to !== '' && isOverMidnight(span) && (
                    <Text span c="dimmed">
                      {t('nextDay')}
                    </Text>
                  )}
                </Group>
              ) : null,
            )}
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<Icon name="plus" size={14} />}
              aria-label={t('addSpanTo', { day: dayName(day) })}
              onClick={() => add(day)}
            >
              {t('addSpan')}
            </Button>
          </Stack>
        </div>
      ))}
    </section>
  );
}
