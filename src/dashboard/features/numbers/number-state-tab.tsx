import { Box, Flex, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { numberReasons, readReason } from '../../../contract/numbers/reasons.ts';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem, Status, Waiting } from '../../parts/feedback.tsx';
import { Hint } from '../../parts/hint.tsx';
import { ShortId } from '../../parts/values/copyable.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { readable } from '../../parts/values/phone-numbers.ts';
import { usageQuery } from '../../queries/account.ts';
import { numberHealthQuery, showNumber } from '../../queries/numbers.ts';
import classes from './numbers.module.css';
import { healthTone, needsPairing, stateTone } from './numbers-page.tsx';

/** A number that is linked does without. */
const Pairing = lazy(async () => ({ default: (await import('./pairing/pairing.tsx')).Pairing }));

/** What state it is in, what that means and what to do; its health, and what it was before. */
export function NumberStateTab({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const format = useFormatter();
  const usage = useQuery(usageQuery);
  const used = usage.data?.byNumber.find(({ numberId }) => numberId === number.numberId)?.used ?? 0;
  return (
    <Stack gap="lg">
      <StateCard number={number} />
      {needsPairing(number) && (
        <Suspense fallback={<Waiting />}>
          <Pairing number={number} />
        </Suspense>
      )}
      <Facts
        facts={[
          [
            common('phoneNumber'),
            number.phoneNumber === null ? t('notPaired') : readable(number.phoneNumber),
          ],
          [t('connectedAt'), <Moment key="connected" at={number.connectedAt} />],
          [t('lastSeenAt'), <Moment key="seen" at={number.lastSeenAt} ago />],
          [t('sentThisMonth'), format.number(used)],
          [common('id'), <ShortId key="id" id={number.numberId} />],
        ]}
      />
      <PoolSwitch number={number} />
      <HealthHistory numberId={number.numberId} />
    </Stack>
  );
}

function StateCard({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const explanation = useExplanation(number);
  const { state, health, healthUntil, reason } = number;
  const format = useFormatter();
  const inWords = useReason();
  const isHealthTold = state === 'connected';
  return (
    <div className={classes.state} data-tone={stateTone[state]}>
      <Flex gap={6}>
        <Status tone={stateTone[state]}>{t(`state.${state}`)}</Status>
        {isHealthTold && <Status tone={healthTone[health]}>{t(`health.${health}`)}</Status>}
      </Flex>
      <p>{explanation}</p>
      {isHealthTold && (
        <p>
          {t(`explainHealth.${health}`)}{' '}
          {healthUntil !== null &&
            common('until', {
              time: format.dateTime(new Date(healthUntil), { dateStyle: 'medium', timeStyle: 'short' }),
            })}
        </p>
      )}
      {reason !== null && inWords(reason) !== explanation && (
        <Hint>{t('reason', { reason: inWords(reason) })}</Hint>
      )}
    </div>
  );
}

function useExplanation({ state, reason, connectedAt, lastSeenAt }: PhoneNumber): string {
  const t = useTranslations('numbers');
  const format = useFormatter();
  const time = (at: string | null) =>
    at === null ? '–' : format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });
  if (state === 'connected') return t('explain.connected', { time: time(connectedAt) });
  // There is no code yet.
  if (state === 'pairing' && reason === numberReasons.no_bridge) return t('reasons.no_bridge');
  if (state !== 'disconnected') return t(`explain.${state}`);
  return t('explain.disconnected', { time: time(lastSeenAt) });
}

/** A reason of the API in the person's language; as it came where it is one of a later release. */
function useReason(): (sentence: string) => string {
  const t = useTranslations('numbers');
  const format = useFormatter();
  return (sentence) => {
    const found = readReason(sentence);
    if (found === null) return sentence;
    const { reason, values } = found;
    if (reason !== 'banned_until') return t(`reasons.${reason}`, values);
    const until = format.dateTime(new Date(values.until), { dateStyle: 'medium', timeStyle: 'short' });
    return t(`reasons.${reason}`, { until });
  };
}

/** Saved at once; where that fails it goes back, and says why. */
function PoolSwitch({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const change = useMutation({
    mutationFn: (inPool: boolean) => gateway.numbers.update(number.numberId, { inPool }),
    onSuccess: showNumber,
  });
  return (
    <>
      <Switch
        label={common('inPool')}
        description={t('poolHint')}
        checked={change.isPending ? change.variables : number.inPool}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      <Problem error={change.error} />
    </>
  );
}

function HealthHistory({ numberId }: { numberId: string }) {
  const t = useTranslations('numbers');
  const inWords = useReason();
  const { data } = useQuery(numberHealthQuery(numberId));
  if (data === undefined) return null;
  return (
    <section>
      <Box component="h3" mb={8}>
        {t('historyTitle')}
      </Box>
      {data.changes.length === 0 && <Hint>{t('historyEmpty')}</Hint>}
      <Stack component="ol" gap={8}>
        {data.changes.map(({ at, status, reason }) => (
          <Flex component="li" gap="xs" align="baseline" key={`${at} ${status}`}>
            <Status tone={healthTone[status]}>{t(`health.${status}`)}</Status>
            <Hint span>
              <Moment at={at} /> {reason !== null && inWords(reason)}
            </Hint>
          </Flex>
        ))}
      </Stack>
    </section>
  );
}
