import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Contact } from '../../../../sdk/index.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { contactMessagesQuery } from '../../../queries/contacts/contacts.ts';
import classes from './contact-panel.module.css';

/** The last messages with somebody, each with a way to all that is known of it. */
export function ContactHistory({ contact }: { contact: Contact }) {
  const t = useTranslations('contacts');
  const { data: messages, error, isPending } = useQuery(contactMessagesQuery(contact));
  return (
    <section className={classes.history} aria-label={t('history')}>
      <h3>{t('history')}</h3>
      {isPending && <Waiting rows={3} />}
      <Problem error={error} />
      {messages?.length === 0 && <p>{t('noHistory')}</p>}
      <ul>
        {messages?.map(({ messageId, direction, text, messageType, queuedAt, receivedAt }) => (
          <li key={messageId}>
            <Link to="/messages/$messageId" params={{ messageId }} className={classes.message}>
              <Icon name={direction} size={14} />
              <span className={classes.text}>{text || t('messageOf', { type: messageType })}</span>
              <span className={classes.time}>
                <Moment at={queuedAt ?? receivedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
