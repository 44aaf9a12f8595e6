import { useTranslations } from 'use-intl';
import type { InboxSearch } from '../../inbox-search.ts';
import classes from '../conversation-list.module.css';

const statuses = ['open', 'pending', 'snoozed', 'resolved', 'any'] as const;

/** Which status, and in which order. */
export function StatusChoice(props: { search: InboxSearch; onChange: (changes: InboxSearch) => void }) {
  const t = useTranslations('inbox');
  const { status, sort } = props.search;
  return (
    <>
      <select
        className={classes.select}
        aria-label={t('status')}
        value={status ?? 'open'}
        onChange={(event) => {
          const chosen = statuses.find((name) => name === event.currentTarget.value);
          props.onChange({ status: chosen === 'open' ? undefined : chosen });
        }}
      >
        {statuses.map((name) => (
          <option key={name} value={name}>
            {t(`statuses.${name}`)}
          </option>
        ))}
      </select>
      <select
        className={classes.select}
        aria-label={t('order')}
        value={sort ?? 'newest'}
        onChange={(event) =>
          props.onChange({ sort: event.currentTarget.value === 'waiting' ? 'waiting' : undefined })
        }
      >
        <option value="newest">{t('orders.newest')}</option>
        <option value="waiting">{t('orders.waiting')}</option>
      </select>
    </>
  );
}
