import { useFormatter, useTranslations } from 'use-intl';
import type { ConversationNote } from '../../../../../sdk/index.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { FormattedText } from '../../message/text/formatted-text.tsx';
import { useNames } from '../../people/names.ts';
import classes from './entries.module.css';

/** A private note: colleagues see it, the other side never does. */
export function NoteEntry({ note }: { note: ConversationNote }) {
  const t = useTranslations('inbox');
  const format = useFormatter();
  const names = useNames();
  const mentioned = new Map(
    note.mentions.flatMap((userId) => {
      const name = names.person(userId);
      return name === undefined ? [] : [[name, name] as const];
    }),
  );
  const maker = note.automationId === undefined ? t('origins.assistant') : t('origins.automation');
  return (
    <article className={classes.note} aria-label={t('note')}>
      <span className={classes.noteHead}>
        <Icon name="lock" size={13} />
        <b>{note.author?.name ?? maker}</b>
        <span>{t('noteHint')}</span>
        <time dateTime={note.createdAt}>
          {format.dateTime(new Date(note.createdAt), { timeStyle: 'short' })}
        </time>
      </span>
      <FormattedText text={note.text} mentions={mentioned} />
    </article>
  );
}
