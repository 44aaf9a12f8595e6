import type { ReactNode } from 'react';
import { useTitle } from '../../parts/frames/page.tsx';
import { Mark, productName } from '../../parts/icon.tsx';
import classes from './sign-in-frame.module.css';

interface SignInFrameProps {
  title: string;
  lead?: string;
  children?: ReactNode;
  /** Below the card: the ways elsewhere. */
  foot?: ReactNode;
}

/** What the pages before the dashboard look like: the mark, a card, ways elsewhere. */
export function SignInFrame({ title, lead, children, foot }: SignInFrameProps) {
  useTitle(title);
  return (
    <main className={classes.ground}>
      <div className={classes.name}>
        <Mark size={30} />
        {productName}
      </div>
      <section className={classes.card}>
        <header>
          <h1>{title}</h1>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </header>
        {children}
      </section>
      {foot !== undefined && <p className={classes.foot}>{foot}</p>}
    </main>
  );
}

/** The token of a mailed link, behind its `#`: browsers send that part to no server. Null where it was cut off. */
export const mailedToken = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get('token');
