import { Box, Group, Stack, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Delivery, eventNames } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { More, Problem, QueryState, Status, type Tone } from '../../parts/feedback.tsx';
import { Filter } from '../../parts/fields/filters.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { ShortId } from '../../parts/values/copyable.tsx';
import { Dotted } from '../../parts/values/dotted.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { type DeliveryFilter, deliveriesQuery, sentAgain } from '../../queries/developers/webhooks.ts';
import classes from './webhooks.module.css';

const SendAgain = lazy(() => import('./send-again.tsx'));

const statuses = ['pending', 'held', 'delivered', 'failed'] as const;

/** What was sent to a webhook, newest first. What is shown of it stands in the address. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const t = useTranslations('webhooks.deliveries');
  const common = useTranslations('common');
  const webhooks = useTranslations('webhooks');
  const search = useSearch({ from: '/signed-in/developer/webhooks/$webhookId' });
  const { status, event } = search;
  const filter: DeliveryFilter = { ...(status && { status }), ...(event && { event }) };
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const deliveries = useInfiniteQuery(deliveriesQuery(webhookId, filter));
  const shown = deliveries.data?.pages.flatMap(({ data }) => data);
  const show = (shown: typeof search) =>
    void navigate({
      to: '/developer/webhooks/$webhookId',
      params: { webhookId },
      search: shown,
      replace: true,
    });
  return (
    <section aria-label={t('title')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <h3>{t('title')}</h3>
          <SmallButton onClick={() => setAsked(true)}>{t('sendAgain')}</SmallButton>
        </Group>
        <Group grow>
          <Filter
            size="xs"
            aria-label={t('status')}
            any={t('anyStatus')}
            choices={statuses.map((value) => ({ value, label: t(`state.${value}`) }))}
            value={status}
            onChange={(status) => show({ status, event })}
          />
          <Filter
            size="xs"
            aria-label={common('event')}
            any={webhooks('allEvents')}
            choices={eventNames}
            value={event}
            onChange={(event) => show({ status, event })}
          />
        </Group>
        <QueryState query={deliveries} />
        {shown?.length === 0 && <Hint>{status || event ? t('noneOfThese') : t('none')}</Hint>}
        {shown !== undefined && shown.length > 0 && (
          <ul className={classes.list}>
            {shown.map((delivery) => (
              <DeliveryRow key={delivery.deliveryId} webhookId={webhookId} delivery={delivery} />
            ))}
          </ul>
        )}
        <More query={deliveries} />
      </Stack>
      <Suspense>{isAsked && <SendAgain webhookId={webhookId} onClose={() => setAsked(false)} />}</Suspense>
    </section>
  );
}

const tones: Record<Delivery['status'], Tone> = {
  pending: 'amber',
  held: 'grey',
  delivered: 'green',
  failed: 'red',
};

/** One event on its way; opened, every attempt at it. */
function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const t = useTranslations('webhooks.deliveries');
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();
  const { event, status, attempts, nextAttemptAt } = delivery;
  return (
    <li className={classes.row}>
      <UnstyledButton
        className={classes.summary}
        aria-expanded={isOpen}
        aria-controls={detailId}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classes.turn} data-open={isOpen}>
          <Icon name="forward" size={14} />
        </span>
        <Box component="span" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Dotted name={event} />
        </Box>
        <Hint span ta="right">
          {status === 'pending' && nextAttemptAt !== null ? (
            <>
              {t('next')} <Moment at={nextAttemptAt} ago />
            </>
          ) : (
            <Moment at={attempts.at(-1)?.at} ago />
          )}
        </Hint>
        <Status tone={tones[status]}>{t(`state.${status}`)}</Status>
      </UnstyledButton>
      <div id={detailId} hidden={!isOpen}>
        {isOpen && <Detail webhookId={webhookId} delivery={delivery} />}
      </div>
    </li>
  );
}

function Detail({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const t = useTranslations('webhooks.deliveries');
  const common = useTranslations('common');
  const { deliveryId, eventId, attempts, status, nextAttemptAt } = delivery;
  const again = useMutation({
    mutationFn: () => gateway.webhooks.redeliver(webhookId, deliveryId),
    onSuccess: sentAgain,
  });
  return (
    <Stack gap="sm" p="4px 12px 14px 32px">
      {status === 'held' && <Hint>{t('heldLead')}</Hint>}
      {attempts.length === 0 && status !== 'held' && <Hint>{t('noAttempt')}</Hint>}
      <Stack component="ol" gap="xs">
        {attempts.map(({ at, statusCode, durationMs, error, responseSnippet }) => (
          <li key={at} className={classes.attempt} data-good={statusCode !== null && statusCode < 300}>
            <Group gap="2px 12px" align="baseline">
              <strong>{statusCode ?? t('noAnswer')}</strong>
              <Hint span>{t('duration', { duration: String(durationMs) })}</Hint>
              <Hint span>
                <Moment at={at} />
              </Hint>
            </Group>
            {error !== null && <p>{error}</p>}
            {responseSnippet !== null && responseSnippet !== '' && (
              <Box
                component="pre"
                m={0}
                p="6px 8px"
                bg="var(--sunken)"
                bdrs="xs"
                style={{ whiteSpace: 'pre-wrap' }}
              >
                {responseSnippet}
              </Box>
            )}
          </li>
        ))}
      </Stack>
      {nextAttemptAt !== null && (
        <Hint>
          {common('nextAttempt')} <Moment at={nextAttemptAt} />
        </Hint>
      )}
      <Group gap="md">
        <ShortId id={eventId} />
        <SmallButton loading={again.isPending} onClick={() => again.mutate()}>
          {t('redeliver')}
        </SmallButton>
        {again.isSuccess && (
          <Hint span role="status">
            {t('redelivered')}
          </Hint>
        )}
      </Group>
      <Problem error={again.error} />
    </Stack>
  );
}
