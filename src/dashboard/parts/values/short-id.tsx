import { CopyButton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../icon.tsx';
import classes from './short-id.module.css';

/** Enough to tell ids apart: they begin with a time, so the end matters as much. */
const shorten = (id: string) => (id.length > 18 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);

/** An id, shortened in the middle; a press copies all of it. */
export function ShortId({ id }: { id: string }) {
  const t = useTranslations('common');
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <UnstyledButton className={classes.id} onClick={copy} title={copied ? t('copied') : id}>
          <VisuallyHidden>{t('copy')}</VisuallyHidden>
          <code>{shorten(id)}</code>
          <Icon name={copied ? 'check' : 'copy'} size={13} />
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
