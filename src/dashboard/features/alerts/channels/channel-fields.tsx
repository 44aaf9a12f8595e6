import { Autocomplete, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { alertKindNames } from '../../../../contract/alerts/alerts.ts';
import { kindName } from '../../../parts/alerts.tsx';
import { isUrl, timeZones } from '../../../parts/fields/allowed-values.ts';
import { AllOrSome, NumberChoice } from '../../../parts/fields/choices.tsx';
import { choiceOf, fieldOf } from '../../../parts/fields/fields.ts';
import { SecretInput } from '../../../parts/fields/secret-input.tsx';
import { useNumberOptions } from '../../../queries/numbers.ts';
import { digests, type Fields, kinds } from './channel-form.ts';

/** What a new channel and one that is there can be given: part of either form. Its kind stays. */
export function ChannelFields({ isStored = false }: { isStored?: boolean }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const names = useTranslations('alerts.kinds');
  const form = useFormContext<Fields>();
  const { control, register } = form;
  const kind = useWatch({ control, name: 'kind' });
  return (
    <Stack gap="md">
      {!isStored && (
        <NativeSelect
          data-autofocus
          label={t('kind')}
          data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          {...register('kind')}
        />
      )}
      <Text p="10px 12px" c="dimmed" bg="var(--sunken)" bdrs="md">
        {t(`hints.${kind}`)}
      </Text>
      <TargetFields isStored={isStored} />
      <AllOrSome
        control={control}
        all="isEveryKind"
        some="kinds"
        label={t('what')}
        allLabel={common('allAlerts')}
        someLabel={t('someKinds')}
        noneProblem={t('kindsNeeded')}
        choices={alertKindNames.map((value) => ({ value, label: names(kindName(value)) }))}
      />
      <NumberChoice description={t('numbersHint')} {...choiceOf(form, 'numberIds')} />
      <DigestFields />
      <TextInput
        label={common('name')}
        placeholder={t('nameExample')}
        autoComplete="off"
        maxLength={100}
        {...register('name')}
      />
    </Stack>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function DigestFields() {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const { control, register } = useFormContext<Fields>();
  const digest = useWatch({ control, name: 'digest' });
  return (
    <Stack gap="md">
      <NativeSelect
        label={t('digest')}
        data={digests.map((value) => ({ value, label: t(`digests.${value}`) }))}
        {...register('digest')}
      />
      {digest !== 'never' && (
        <Group grow align="flex-start">
          <NativeSelect label={t('hour')} data={hours} {...register('hour')} />
          <Controller
            control={control}
            name="timeZone"
            rules={{ validate: (zone) => timeZones.includes(zone) || zone === 'UTC' || t('zoneNeeded') }}
            render={({ field, fieldState }) => (
              <Autocomplete
                label={common('timeZone')}
                data={timeZones}
                limit={40}
                error={fieldState.error?.message}
                {...field}
              />
            )}
          />
        </Group>
      )}
    </Stack>
  );
}

const isAddress = (address: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address.trim());
const isBotToken = (token: string) => /^\d{5,15}:[\w-]{30,60}$/.test(token.trim());
const isChatId = (id: string) => /^(-?\d{1,20}|@\w{4,64})$/.test(id.trim());

const urlExamples = {
  slack: 'https://hooks.slack.com/services/T000/B000/XXXX',
  discord: 'https://discord.com/api/webhooks/000/XXXX',
  webhook: 'https://example.com/hooks/alerts',
} as const;
const addressExample = 'ops@example.com';
const phoneExample = '+62 812 3456 789';
const chatExample = '-1001234567890';

/** Where it goes: what the kind of the channel needs. Of what is stored, secrets need not be typed again. */
function TargetFields({ isStored }: { isStored: boolean }) {
  const { control } = useFormContext<Fields>();
  const kind = useWatch({ control, name: 'kind' });
  if (kind === 'email') return <AddressField />;
  if (kind === 'telegram') return <TelegramFields isStored={isStored} />;
  if (kind === 'whatsapp') return <WhatsappFields />;
  return <UrlField kind={kind} isStored={isStored} />;
}

function AddressField() {
  const t = useTranslations('alerts.channels');
  const form = useFormContext<Fields>();
  return (
    <TextInput
      type="email"
      label={t('address')}
      placeholder={addressExample}
      autoComplete="off"
      {...fieldOf(form, 'address', { validate: (address) => isAddress(address) || t('addressNeeded') })}
    />
  );
}

function UrlField({ kind, isStored }: { kind: keyof typeof urlExamples; isStored: boolean }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const form = useFormContext<Fields>();
  return (
    <TextInput
      type="url"
      label={t('url')}
      {...(isStored && { description: t('urlKept') })}
      placeholder={urlExamples[kind]}
      autoComplete="off"
      {...fieldOf(form, 'url', {
        validate: (url) => (isStored && url.trim() === '') || isUrl(url) || common('urlNeeded'),
      })}
    />
  );
}

function TelegramFields({ isStored }: { isStored: boolean }) {
  const t = useTranslations('alerts.channels');
  const form = useFormContext<Fields>();
  return (
    <Stack gap="md">
      <SecretInput
        label={t('botToken')}
        {...(isStored && { description: t('botTokenKept') })}
        autoComplete="off"
        {...fieldOf(form, 'botToken', {
          validate: (token) => (isStored && token.trim() === '') || isBotToken(token) || t('botTokenNeeded'),
        })}
      />
      <TextInput
        label={t('chatId')}
        description={t('chatIdHint')}
        placeholder={chatExample}
        autoComplete="off"
        {...fieldOf(form, 'chatId', { validate: (id) => isChatId(id) || t('chatIdNeeded') })}
      />
    </Stack>
  );
}

function WhatsappFields() {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const form = useFormContext<Fields>();
  const numbers = useNumberOptions();
  return (
    <Stack gap="md">
      <NativeSelect
        label={t('through')}
        data={[{ value: '', label: t('anyNumber') }, ...numbers]}
        {...form.register('numberId')}
      />
      <TextInput
        label={common('to')}
        description={common('toHint')}
        placeholder={phoneExample}
        autoComplete="off"
        {...fieldOf(form, 'to', {
          validate: (to) => /\d{6}/.test(to.replaceAll(/\D/g, '')) || common('phoneNumberNeeded'),
        })}
      />
    </Stack>
  );
}
