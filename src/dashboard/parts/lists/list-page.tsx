import type { ReactNode } from 'react';
import { QueryState, type QueryStateProps } from '../feedback/query-state.tsx';
import { Page } from '../frames/page.tsx';

export interface ListPageProps<Row> {
  title: string;
  lead: string;
  query: QueryStateProps['query'];
  /** What the query found; undefined while that is not known. */
  rows: readonly Row[] | undefined;
  /** Buttons at the right of the title, whatever was found. */
  actions?: ReactNode;
  /** The button that makes one more. Not before it is known that there are some: a press on what moves away is lost. */
  add: ReactNode;
  /** What teaches while there is none, with a button that makes the first. */
  empty: ReactNode;
  list: (rows: readonly Row[]) => ReactNode;
  /** What stands above the list, and dialogs. */
  children?: ReactNode;
}

/** A page about everything of a kind that the account has. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, lead, query, rows, actions, add, empty, list, children } = props;
  const isFilled = rows !== undefined && rows.length > 0;
  const withAdd = (
    <>
      {actions}
      {add}
    </>
  );
  return (
    <Page title={title} lead={lead} actions={isFilled ? withAdd : actions}>
      <QueryState query={query} />
      {children}
      {rows?.length === 0 && empty}
      {isFilled && list(rows)}
    </Page>
  );
}
