import { Box, Code, Flex, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { MessageTimeline } from '../../../../sdk/index.ts';
import { Problem, Status, type Tone } from '../../../parts/feedback.tsx';
import { Dotted } from '../../../parts/values/dotted.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { messageTimelineQuery } from '../../../queries/messages.ts';
import classes from './message.module.css';

type Delivery = MessageTimeline['deliveries'][number];

const tones: Record<Delivery['status'], Tone> = {
  delivered: 'green',
  pending: 'amber',
  held: 'amber',
  failed: 'red',
};

/** Every attempt to tell a webhook of this message, event by event, and the events as they were sent. */
export default function MessageDeliveries({ messageId }: { messageId: string }) {
  const t = useTranslations('messages.deliveries');
  const { data: timeline, error } = useQuery(messageTimelineQuery(messageId));
  if (error !== null) return <Problem error={error} />;
  if (timeline === undefined) return null;
  const { deliveries, events } = timeline;
  return (
    <section className={classes.deliveries} aria-label={t('title')}>
      <h3>{t('title')}</h3>
      {deliveries.length === 0 && <Text c="dimmed">{t('none')}</Text>}
      <ol className={classes.list}>
        {deliveries.map((delivery) => (
          <li key={delivery.deliveryId}>
            <Flex gap="xs" align="center" justify="space-between">
              <Dotted name={delivery.event} />
              <Status tone={tones[delivery.status]}>{t(`states.${delivery.status}`)}</Status>
            </Flex>
            <Attempts delivery={delivery} />
          </li>
        ))}
      </ol>
      {events.length > 0 && <Raw name={t('events', { count: events.length })} value={events} />}
    </section>
  );
}

function Attempts({ delivery: { attempts, nextAttemptAt } }: { delivery: Delivery }) {
  const t = useTranslations('messages.deliveries');
  const common = useTranslations('common');
  const format = useFormatter();
  return (
    <ul className={classes.attempts}>
      {attempts.map(({ at, statusCode, durationMs, error, responseSnippet }) => (
        <li key={at} title={responseSnippet ?? undefined}>
          <Moment at={at} />
          <Box component="b" c="var(--ink)" fw={550}>
            {statusCode ?? t('noAnswer')}
          </Box>
          <span>
            {format.number(durationMs, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 })}
          </span>
          <span>{error}</span>
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li>
          {common('nextAttempt')} <Moment at={nextAttemptAt} />
        </li>
      )}
    </ul>
  );
}

/** A payload, closed until somebody wants to see it. */
export function Raw({ name, value }: { name: string; value: unknown }) {
  return (
    <details className={classes.raw}>
      <summary>{name}</summary>
      <Code block tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </details>
  );
}
