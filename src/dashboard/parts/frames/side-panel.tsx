import { Box } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { QueryState, type QueryStateProps } from '../feedback.tsx';
import { IconButton } from '../icon-button.tsx';
import classes from './frames.module.css';

interface SidePanelProps {
  title: string;
  /** Under the title. */
  subtitle?: ReactNode;
  /** What a screen reader calls it, where that is not its title. */
  name?: string;
  /** What asks for what it shows. */
  query?: QueryStateProps['query'] & { data: unknown };
  onClose: () => void;
  children: ReactNode;
}

/** Details at the right of a list, under an address of their own. On a narrow screen they cover it. Escape closes. */
export function SidePanel(props: SidePanelProps) {
  const { title, subtitle, name = title, query, onClose, children } = props;
  const t = useTranslations('common');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  // A dialog or a menu that Escape closes is gone by the time the panel would look for it.
  const isBehind = useRef(false);
  useWindowEvent(
    'keydown',
    () => {
      isBehind.current = document.querySelector('[role="dialog"], [role="menu"]') !== null;
    },
    { capture: true },
  );
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isBehind.current) onClose();
  });
  return (
    <aside className={classes.panel} aria-label={name} ref={panel} tabIndex={-1}>
      <header className={classes.panelHeader}>
        <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <h2>{title}</h2>
          {subtitle && (
            <Box mt={4} c="dimmed">
              {subtitle}
            </Box>
          )}
        </Box>
        <IconButton icon="close" name={t('close')} onClick={onClose} size="lg" />
      </header>
      <div className={classes.panelBody}>
        {query !== undefined && query.data === undefined && <QueryState query={query} />}
        {children}
      </div>
    </aside>
  );
}
