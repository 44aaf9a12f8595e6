import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PairNumberRequest, PhoneNumber } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem, Waiting } from '../../../parts/feedback.tsx';
import { QrCode } from '../../../parts/values/qr-code.tsx';
import { showNumber } from '../../../queries/numbers.ts';
import classes from './pairing.module.css';
import { Countdown, useShownPairing } from './pairing-code.tsx';

const ByCode = lazy(() => import('./pairing-code.tsx'));

/** Links a phone: by a picture that it scans, or by a code that is typed on it. */
export function Pairing({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers.pairing');
  const common = useTranslations('common');
  const [method, setMethod] = useState<PairNumberRequest['method']>('qr');
  const begin = useMutation({
    mutationFn: (request: PairNumberRequest) => gateway.numbers.pair(number.numberId, request),
    onSuccess: showNumber,
  });
  return (
    <Stack component="section" gap={14}>
      <SegmentedControl
        fullWidth
        aria-label={t('how')}
        value={method}
        onChange={(value) => setMethod(value === 'code' ? 'code' : 'qr')}
        data={[
          { value: 'qr', label: common('qrCode') },
          { value: 'code', label: t('byCode') },
        ]}
      />
      {method === 'qr' ? (
        <ByQr number={number} isBusy={begin.isPending} onBegin={() => begin.mutate({ method: 'qr' })} />
      ) : (
        <Suspense fallback={<Waiting rows={2} />}>
          <ByCode
            number={number}
            isBusy={begin.isPending}
            onBegin={(phoneNumber) => begin.mutate({ method: 'code', phoneNumber })}
          />
        </Suspense>
      )}
      <Problem error={begin.error} />
    </Stack>
  );
}

function ByQr({ number, isBusy, onBegin }: { number: PhoneNumber; isBusy: boolean; onBegin: () => void }) {
  const t = useTranslations('numbers.pairing');
  const common = useTranslations('common');
  const numbers = useTranslations('numbers');
  const shown = useShownPairing(number);
  if (number.state !== 'pairing') {
    const isAgain = number.state === 'logged_out';
    return (
      <Button onClick={onBegin} loading={isBusy}>
        {isAgain ? numbers('pairAgain') : t('newCode')}
      </Button>
    );
  }
  if (shown?.method === 'code') {
    return (
      <Button onClick={onBegin} loading={isBusy}>
        {t('newCode')}
      </Button>
    );
  }
  return (
    <div className={classes.split}>
      <div className={classes.picture}>
        {typeof shown?.qr === 'string' ? (
          <>
            <QrCode className={classes.qr ?? ''} text={shown.qr} name={common('qrCode')} />
            <Countdown key={shown.qr} until={shown.expiresAt}>
              {(seconds) => t('fresh', { seconds })}
            </Countdown>
          </>
        ) : (
          <Waiting rows={1} height={196} />
        )}
      </div>
      <ol className={classes.steps}>
        <li>{t('qrSteps1')}</li>
        <li>{t('qrSteps2')}</li>
        <li>{t('qrSteps3')}</li>
      </ol>
    </div>
  );
}
