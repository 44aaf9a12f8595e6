import { NativeSelect, Radio, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Alert } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { aboutOf, kindName } from '../../parts/alerts.tsx';
import { choiceOf } from '../../parts/fields/fields.ts';
import { FieldsDialog } from '../../parts/frames/dialog-form.tsx';
import { alertsChanged } from '../../queries/alerts.ts';
import { useNumberLabel } from '../../queries/numbers.ts';

interface MuteDialogProps {
  alert: Alert;
  onClose: () => void;
}

const hours = [1, 4, 8, 24, 72, 168] as const;

/** For whoever works on a trouble, or has to live with it: no messages about it for a while. */
export default function MuteDialog({ alert, onClose }: MuteDialogProps) {
  const t = useTranslations('alerts.mutes');
  const alerts = useTranslations('alerts');
  const common = useTranslations('common');
  const labelOf = useNumberLabel();
  const { thing, id } = aboutOf(alert);
  const number = thing === 'number' ? labelOf(id) : undefined;
  const kind = alerts(`kinds.${kindName(alert.kind)}`);
  const name = (count: number) =>
    count < 48 ? common('hours', { count }) : common('days', { count: count / 24 });
  return (
    <FieldsDialog
      title={t('dialog')}
      isSmall
      first={{ what: number === undefined ? 'kind' : 'alike', hours: '1' }}
      create={alerts('mute')}
      save={({ what, hours }) =>
        gateway.alertMutes.create({
          kind: what === 'number' ? null : alert.kind,
          numberId: what === 'kind' ? null : id,
          minutes: Number(hours) * 60,
        })
      }
      onSaved={() => {
        void alertsChanged();
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p>{t('dialogLead')}</p>
          <Radio.Group label={t('what')} {...choiceOf(form, 'what')}>
            <Stack gap="xs" pt={6}>
              {number !== undefined && (
                <Radio value="alike" label={t('alike', { what: t('ofNumber', { kind, number }) })} />
              )}
              <Radio value="kind" label={t('kind', { what: kind })} />
              {number !== undefined && <Radio value="number" label={t('allOfNumber', { number })} />}
            </Stack>
          </Radio.Group>
          <NativeSelect
            label={t('long')}
            data={hours.map((count) => ({ value: String(count), label: name(count) }))}
            {...form.register('hours')}
          />
        </>
      )}
    </FieldsDialog>
  );
}
