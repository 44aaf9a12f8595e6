import { useTranslations } from 'use-intl';
import type { Message } from '../../../../sdk/index.ts';
import { Icon } from '../../../parts/icon.tsx';
import classes from './ticks.module.css';

const icons = {
  queued: 'clock',
  sent: 'tick',
  delivered: 'ticks',
  read: 'ticks',
  failed: 'warning',
  received: 'inbound',
} as const;

/** How far a message has come, as phones show it; in words for whoever asks. */
export function Ticks({ status }: { status: Message['status'] }) {
  const t = useTranslations('common.status');
  return (
    <span className={classes.ticks} data-status={status} role="img" aria-label={t(status)} title={t(status)}>
      <Icon name={icons[status]} size={15} />
    </span>
  );
}
