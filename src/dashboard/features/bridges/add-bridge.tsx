import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { BridgeList, EnrolmentToken } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { SecretOnce } from '../../parts/asking/secrets.tsx';
import { FieldsDialog } from '../../parts/frames/dialog-form.tsx';
import { CodeBlock } from '../../parts/values/copyable.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { bridgesQuery } from '../../queries/bridges.ts';

const lifetimes = { hour: 3_600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
const names = Object.keys(lifetimes) as (keyof typeof lifetimes)[];
const nameCharactersMax = 100;

interface Fields {
  name: string;
  lifetime: keyof typeof lifetimes;
  /** Empty: none. */
  region: Region | '';
}

type Region = BridgeList['regions'][number]['region'];

/** What the new bridge is called; then its token, this once, with the command that starts it. */
export default function AddBridge({ onClose }: { onClose: () => void }) {
  const t = useTranslations('bridges');
  const common = useTranslations('common');
  const regions = useQuery(bridgesQuery).data?.regions ?? [];
  return (
    <FieldsDialog<Fields, EnrolmentToken>
      title={t('add')}
      first={{ name: '', lifetime: 'hour', region: '' }}
      create={t('addSubmit')}
      save={({ name, lifetime, region }) =>
        gateway.bridges.add({
          expiresInSeconds: lifetimes[lifetime],
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(region !== '' && { region }),
        })
      }
      saved={(enrolment) => ({
        title: t('addedTitle'),
        content: <Added enrolment={enrolment} onDone={onClose} />,
      })}
      onClose={onClose}
    >
      {({ register }) => (
        <>
          <TextInput
            data-autofocus
            label={common('name')}
            description={t('nameHint')}
            placeholder={t('nameExample')}
            autoComplete="off"
            maxLength={nameCharactersMax}
            {...register('name')}
          />
          <NativeSelect
            label={t('lifetime')}
            data={names.map((value) => ({ value, label: t(`lifetimes.${value}`) }))}
            {...register('lifetime')}
          />
          {regions.length > 0 && (
            <NativeSelect
              label={t('region')}
              data={[
                { value: '', label: t('noRegion') },
                ...regions.map(({ region }) => ({ value: region, label: region })),
              ]}
              {...register('region')}
            />
          )}
        </>
      )}
    </FieldsDialog>
  );
}

const startCommand = (token: string) =>
  [
    `BRIDGE_ENROLMENT_TOKEN=${token}`,
    `GATEWAY_URL=${window.location.origin}`,
    'VAULT_KEY=…',
    'BRIDGE_HOME=/var/lib/heliograph-bridge',
    'NETWORK=whatsapp',
    'node src/session-bridge/main.ts',
  ].join(' \\\n  ');

function Added({ enrolment, onDone }: { enrolment: EnrolmentToken; onDone: () => void }) {
  const t = useTranslations('bridges');
  const common = useTranslations('common');
  return (
    <Stack gap="md">
      <SecretOnce name={t('token')} secret={enrolment.token} warning={t('shownOnce')} />
      <p>
        {t('goodUntil')} <Moment at={enrolment.expiresAt} />
      </p>
      <Stack gap="xs">
        <h3>{t('commandTitle')}</h3>
        <CodeBlock name={t('command')} text={startCommand(enrolment.token)} />
        <p>{t('commandLead')}</p>
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onDone}>{common('done')}</Button>
      </Group>
    </Stack>
  );
}
