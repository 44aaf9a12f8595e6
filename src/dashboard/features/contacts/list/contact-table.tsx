import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Contact } from '../../../../sdk/index.ts';
import { Status } from '../../../parts/feedback/status.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/readable-phone.ts';
import { nameOf } from '../contact-words.ts';
import classes from './contact-table.module.css';

const rowHeight = 36;
/** So many rows before the end the next page is asked for. */
const rowsAhead = 60;
const labelsShown = 2;

interface ContactTableProps {
  contacts: readonly Contact[];
  hasMore: boolean;
  onEnd: () => void;
}

/** However many there are, only those on screen are drawn. */
export function ContactTable({ contacts, hasMore, onEnd }: ContactTableProps) {
  const t = useTranslations('contacts');
  const scroller = useRef<HTMLDivElement>(null);
  // The same one while the rows are: with another one all of them are measured anew.
  const getItemKey = useCallback((index: number) => contacts[index]?.contactId ?? index, [contacts]);
  const rows = useVirtualizer({
    count: contacts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= contacts.length - rowsAhead) onEnd();
  }, [last, contacts.length, hasMore, onEnd]);
  return (
    <div className={classes.frame}>
      <div className={classes.head} aria-hidden="true">
        <span>{t('name')}</span>
        <span>{t('phoneNumber')}</span>
        <span className={classes.wide}>{t('labels')}</span>
        <span className={classes.time}>{t('lastInbound')}</span>
      </div>
      <div className={classes.scroller} ref={scroller}>
        <ul className={classes.rows} style={{ height: rows.getTotalSize() }} aria-label={t('title')}>
          {shown.map(({ index, key, start }) => {
            const contact = contacts[index];
            return contact === undefined ? null : <Row key={key} contact={contact} top={start} />;
          })}
        </ul>
        {contacts.length === 0 && <Waiting rows={4} />}
      </div>
    </div>
  );
}

function Row({ contact, top }: { contact: Contact; top: number }) {
  const t = useTranslations('contacts');
  const search = useSearch({ from: '/signed-in/contacts' });
  const { contactId: openId } = useParams({ strict: false });
  const { contactId, phoneNumber, labels, optedOutAt, lastInboundAt } = contact;
  return (
    <li className={classes.place} style={{ transform: `translateY(${top}px)` }}>
      <Link
        to="/contacts/$contactId"
        params={{ contactId }}
        search={search}
        className={classes.row}
        data-open={contactId === openId}
      >
        <span className={classes.name}>{nameOf(contact) ?? t('nameless')}</span>
        <span className={classes.phone}>{phoneNumber === null ? t('aliasOnly') : readable(phoneNumber)}</span>
        <span className={classes.wide}>
          {optedOutAt !== null && <Status tone="red">{t('optedOut')}</Status>}
          {labels.slice(0, labelsShown).map((label) => (
            <span key={label} className={classes.label}>
              {label}
            </span>
          ))}
          {labels.length > labelsShown && (
            <span className={classes.soft}>{t('andMore', { count: labels.length - labelsShown })}</span>
          )}
        </span>
        <span className={classes.time}>
          {lastInboundAt === null ? t('neverWrote') : <Moment at={lastInboundAt} ago />}
        </span>
      </Link>
    </li>
  );
}
