import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputOf } from '../../../parts/fields/input.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { InboxSearch } from '../inbox-search.ts';
import classes from './conversation-list.module.css';

/** Typed words are in the address a moment later. */
const afterMs = 250;

/** Names, phone numbers, and words in messages. */
export function ListSearch({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (q: string | undefined) => void;
}) {
  const t = useTranslations('inbox');
  const [typed, setTyped] = useState(value ?? '');
  const told = useRef(value);
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value ?? '');
  }, [value]);
  useEffect(() => {
    const q = typed.trim() === '' ? undefined : typed.trim();
    if (q === told.current) return;
    const timer = setTimeout(() => {
      told.current = q;
      tell.current(q);
    }, afterMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div className={classes.search}>
      <Icon name="search" size={16} />
      <input type="search" aria-label={t('search')} placeholder={t('search')} {...inputOf(typed, setTyped)} />
    </div>
  );
}

const statuses = ['open', 'pending', 'snoozed', 'resolved', 'any'] as const;

/** Which status, and in which order. */
export function StatusChoice(props: { search: InboxSearch; onChange: (changes: InboxSearch) => void }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const { status, sort } = props.search;
  return (
    <>
      <select
        className={classes.select}
        aria-label={common('state')}
        value={status ?? 'open'}
        onChange={(event) => {
          const chosen = statuses.find((name) => name === event.currentTarget.value);
          props.onChange({ status: chosen === 'open' ? undefined : chosen });
        }}
      >
        {statuses.map((name) => (
          <option key={name} value={name}>
            {name === 'any' ? t('anyStatus') : common(`conversationStatus.${name}`)}
          </option>
        ))}
      </select>
      <select
        className={classes.select}
        aria-label={common('order')}
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
