import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { productName } from '../mark.tsx';
import classes from './page.module.css';

interface PageProps {
  title: string;
  lead?: string;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the dashboard: its name stands in the tab of the browser too. */
export function Page({ title, lead, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName}`;
  }, [title]);
}
