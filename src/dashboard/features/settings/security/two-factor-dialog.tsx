import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { RecoveryCodes, TwoFactorSecret } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { SecretInput } from '../../../parts/fields/secret-input.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { CodeBlock } from '../../../parts/values/copyable.tsx';
import { QrCode } from '../../../parts/values/qr-code.tsx';
import { peopleChanged } from '../../../queries/account.ts';
import { isWrongPassword } from '../refusals.ts';
import classes from '../settings.module.css';

const path = '/v1/auth/two-factor';

/** Turns the second factor on, or off where it is on. */
export default function TwoFactorDialog({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  return isOn ? <TurnOff onClose={onClose} /> : <TurnOn onClose={onClose} />;
}

/** The password, then a code of the app that has scanned the secret, then the recovery codes, shown this once. */
function TurnOn({ onClose }: { onClose: () => void }) {
  const t = useTranslations('settings.twoFactor');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const done = () => {
    onClose();
    void peopleChanged();
  };
  return (
    <Dialog title={t('turnOn')} onClose={codes === null ? onClose : done} isKept={codes !== null}>
      {codes === null ? <Secret onOn={setCodes} /> : <Codes codes={codes} onDone={done} />}
    </Dialog>
  );
}

function Secret({ onOn }: { onOn: (codes: readonly string[]) => void }) {
  const t = useTranslations('settings.twoFactor');
  const common = useTranslations('common');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useMutation({
    mutationFn: () =>
      gateway.request<TwoFactorSecret>({ method: 'POST', path: `${path}/enable`, body: { password } }),
  });
  const verify = useMutation({
    mutationFn: () =>
      gateway.request<RecoveryCodes>({ method: 'POST', path: `${path}/verify`, body: { code } }),
    onSuccess: ({ recoveryCodes }) => onOn(recoveryCodes),
  });
  const secret = begin.data;
  if (secret === undefined) {
    const isWrong = isWrongPassword(begin.error);
    return (
      <Step onSubmit={() => begin.mutate()} isBusy={begin.isPending} action={common('continue')}>
        <SecretInput
          data-autofocus
          label={common('yourPassword')}
          autoComplete="current-password"
          {...inputOf(password, setPassword)}
          error={isWrong && common('wrongPassword')}
        />
        {!isWrong && <Problem error={begin.error} />}
      </Step>
    );
  }
  return (
    <Step onSubmit={() => verify.mutate()} isBusy={verify.isPending} action={t('turnOn')}>
      <p>{t('scan')}</p>
      <QrCode text={secret.otpauthUrl} name={common('qrCode')} className={classes.qr ?? ''} />
      <CodeBlock text={secret.secret} name={t('secret')} />
      <TextInput
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        {...inputOf(code, setCode)}
      />
      <Problem error={verify.error} />
    </Step>
  );
}

function Step(props: { onSubmit: () => void; isBusy: boolean; action: string; children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {props.children}
        <Group justify="flex-end">
          <Button type="submit" loading={props.isBusy}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations('settings.twoFactor');
  return (
    <Stack gap="md">
      <p>{t('codesLead')}</p>
      <CodeBlock text={codes.join('\n')} name={t('codes')} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('kept')}</Button>
      </Group>
    </Stack>
  );
}

/** Takes the password and a code: from then on the password is enough. */
function TurnOff({ onClose }: { onClose: () => void }) {
  const t = useTranslations('settings.twoFactor');
  const common = useTranslations('common');
  const form = useForm({ defaultValues: { password: '', code: '' } });
  const turnOff = useMutation({
    mutationFn: (body: { password: string; code: string }) =>
      gateway.request({ method: 'POST', path: `${path}/disable`, body }),
    onSuccess: () => {
      onClose();
      void peopleChanged();
    },
  });
  const isWrong = isWrongPassword(turnOff.error);
  const submit = form.handleSubmit((fields) => turnOff.mutate(fields));
  return (
    <Dialog title={t('turnOff')} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <p>{t('turnOffLead')}</p>
          <SecretInput
            data-autofocus
            label={common('yourPassword')}
            autoComplete="current-password"
            error={isWrong && common('wrongPassword')}
            {...form.register('password')}
          />
          <TextInput label={t('codeOrRecovery')} autoComplete="one-time-code" {...form.register('code')} />
          {!isWrong && <Problem error={turnOff.error} />}
          <Group justify="flex-end">
            <Button type="submit" color="danger" loading={turnOff.isPending}>
              {t('turnOff')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
