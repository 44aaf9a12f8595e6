import { ActionIcon, Button, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { BusinessHours } from '../../../../../sdk/index.ts';
import { Icon } from '../../../../parts/icon.tsx';
import classes from '../support.module.css';

type Holiday = BusinessHours['holidays'][number];

interface HolidaysEditorProps {
  holidays: readonly Holiday[];
  onChange: (holidays: Holiday[]) => void;
}

/** Dates on which nobody works. */
export function HolidaysEditor({ holidays, onChange }: HolidaysEditorProps) {
  const t = useTranslations('support.hours');
  const change = (at: number, more: Partial<Holiday>) =>
    onChange(holidays.map((holiday, index) => (index === at ? { ...holiday, ...more } : holiday)));
  return (
    <Stack gap="xs" role="group" aria-label={t('holidays')}>
      <h3>{t('holidays')}</h3>
      <p className={classes.quiet}>{t('holidaysHint')}</p>
      {holidays.map((holiday, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a holiday has no name but its place.
        <div key={index} className={classes.span}>
          <TextInput
            type="date"
            className={classes.date}
            aria-label={t('date')}
            value={holiday.date}
            onChange={({ currentTarget: { value } }) => change(index, { date: value })}
          />
          <TextInput
            className={classes.holidayName}
            aria-label={t('holidayName')}
            placeholder={t('holidayName')}
            maxLength={100}
            value={holiday.name}
            onChange={({ currentTarget: { value } }) => change(index, { name: value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('removeHoliday', { date: holiday.date })}
            onClick={() => onChange(holidays.filter((_, at) => at !== index))}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        </div>
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
