import { Button, Group, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Delivery } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status, type Tone } from '../../../parts/feedback/status.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { ShortId } from '../../../parts/values/short-id.tsx';
import { sentAgain } from '../../../queries/developers/webhooks.ts';
import classes from './deliveries.module.css';

const tones: Record<Delivery['status'], Tone> = {
  pending: 'amber',
  held: 'grey',
  delivered: 'green',
  failed: 'red',
};

/** One event on its way; opened, every attempt at it. */
export function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
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
        <code className={classes.event}>{event}</code>
        <span className={classes.at}>
          {status === 'pending' && nextAttemptAt !== null ? (
            <>
              {t('next')} <Moment at={nextAttemptAt} ago />
            </>
          ) : (
            <Moment at={attempts.at(-1)?.at} ago />
          )}
        </span>
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
  const { deliveryId, eventId, attempts, status, nextAttemptAt } = delivery;
  const again = useMutation({
    mutationFn: () => gateway.webhooks.redeliver(webhookId, deliveryId),
    onSuccess: sentAgain,
  });
  return (
    <div className={classes.detail}>
      {status === 'held' && <p className={classes.quiet}>{t('heldLead')}</p>}
      {attempts.length === 0 && status !== 'held' && <p className={classes.quiet}>{t('noAttempt')}</p>}
      <ol className={classes.attempts}>
        {attempts.map(({ at, statusCode, durationMs, error, responseSnippet }) => (
          <li key={at} className={classes.attempt} data-good={statusCode !== null && statusCode < 300}>
            <div className={classes.figures}>
              <strong>{statusCode ?? t('noAnswer')}</strong>
              <span className={classes.quiet}>{t('duration', { duration: String(durationMs) })}</span>
              <span className={classes.quiet}>
                <Moment at={at} />
              </span>
            </div>
            {error !== null && <p>{error}</p>}
            {responseSnippet !== null && responseSnippet !== '' && (
              <pre className={classes.snippet}>{responseSnippet}</pre>
            )}
          </li>
        ))}
      </ol>
      {nextAttemptAt !== null && (
        <p className={classes.quiet}>
          {t('nextAttempt')} <Moment at={nextAttemptAt} />
        </p>
      )}
      <Group gap="md">
        <ShortId id={eventId} />
        <Button size="xs" variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {t('redeliver')}
        </Button>
        {again.isSuccess && (
          <span role="status" className={classes.quiet}>
            {t('redelivered')}
          </span>
        )}
      </Group>
      <Problem error={again.error} />
    </div>
  );
}
