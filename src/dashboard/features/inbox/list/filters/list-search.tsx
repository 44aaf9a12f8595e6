import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../../../parts/icon.tsx';
import classes from './list-search.module.css';

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
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}
