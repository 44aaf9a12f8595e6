import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Message } from '../../../sdk/index.ts';
import classes from './values.module.css';

const steps: Message['status'][] = ['queued', 'sent', 'delivered', 'read'];
type Path = Pick<Message, 'status' | 'sentAt' | 'deliveredAt'>;

/** How many lights are lit. */
function litOf({ status, sentAt, deliveredAt }: Path): number {
  if (status === 'failed') return deliveredAt !== null ? 3 : sentAt !== null ? 2 : 1;
  return steps.indexOf(status) + 1;
}

/** The path of a message in a row: four lights; a message that came in has none. */
export function MessagePath({ message }: { message: Path }) {
  const t = useTranslations('common.status');
  const { status } = message;
  if (status === 'received')
    return (
      <Text span c="dimmed">
        {t('received')}
      </Text>
    );
  const lit = litOf(message);
  return (
    <span className={classes.path} data-status={status}>
      <span className={classes.lights} aria-hidden="true">
        {steps.map((step, place) => (
          <i key={step} data-lit={place < lit} />
        ))}
      </span>
      {t(status)}
    </span>
  );
}
