import { ActionIcon, CopyButton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../icon.tsx';
import classes from './values.module.css';

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

interface CodeBlockProps {
  /** What it is, for a screen reader. */
  name: string;
  text: string;
  /** Long lines are folded instead of scrolled. */
  isFolded?: boolean;
}

/** Something to run or to read, whole, with a button that copies it. */
export function CodeBlock({ name, text, isFolded = false }: CodeBlockProps) {
  const t = useTranslations('common');
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard. */}
      <section className={classes.text} data-folded={isFolded} aria-label={name} tabIndex={0}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            m={8}
            variant="default"
            onClick={copy}
            aria-label={copied ? t('copied') : t('copy')}
            title={copied ? t('copied') : t('copy')}
          >
            <Icon name={copied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
