import { ActionIcon } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../icon.tsx';
import classes from './frames.module.css';

interface SidePanelProps {
  title: ReactNode;
  /** Under the title. */
  subtitle?: ReactNode;
  /** What the panel is called by a screen reader. */
  name: string;
  onClose: () => void;
  children: ReactNode;
}

/** Details at the right of a list, under an address of their own. On a narrow screen they cover it. Escape closes. */
export function SidePanel({ title, subtitle, name, onClose, children }: SidePanelProps) {
  const t = useTranslations('common');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTaken = event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"]');
      if (event.key === 'Escape' && !isTaken) onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <aside className={classes.panel} aria-label={name} ref={panel} tabIndex={-1}>
      <header className={classes.panelHeader}>
        <div className={classes.titles}>
          <h2>{title}</h2>
          {subtitle !== undefined && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        <ActionIcon variant="subtle" onClick={onClose} aria-label={t('close')} size="lg">
          <Icon name="close" />
        </ActionIcon>
      </header>
      <div className={classes.panelBody}>{children}</div>
    </aside>
  );
}
