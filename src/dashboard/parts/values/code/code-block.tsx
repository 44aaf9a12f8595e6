import { ActionIcon, CopyButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../../icon.tsx';
import classes from './code-block.module.css';

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
            className={classes.copy}
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
