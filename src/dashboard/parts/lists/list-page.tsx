import { Box, Button, Flex } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Empty, QueryState, type QueryStateProps } from '../feedback.tsx';
import { Page } from '../frames/page.tsx';
import { Icon, type IconName } from '../icon.tsx';

interface ListPageProps<Row> {
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

/** A list, and beside it what is open of it. */
export function ListWithPanel({ list, panel }: { list: ReactNode; panel: ReactNode }) {
  return (
    <Flex align="stretch" mih="100%">
      <Box flex={1} miw={0}>
        {list}
      </Box>
      {panel}
    </Flex>
  );
}

interface ResourcePageProps<Row> extends Omit<ListPageProps<Row>, 'add' | 'empty'> {
  /** The button that asks for one more. */
  add: string;
  empty: { icon: IconName; title: string; lead: string; example?: ReactNode };
  dialog: (onClose: () => void) => ReactNode;
  /** Where the address says whether the dialog is open. */
  adding?: readonly [isOpen: boolean, handlers: { open: () => void; close: () => void }];
}

/** What an account has of a kind: a list, a dialog that makes one more, and beside the list what is open of it. */
export function ResourcePage<Row>(props: ResourcePageProps<Row>) {
  const { add, empty, dialog, adding, children, ...page } = props;
  const here = useDisclosure();
  const [isAdding, { open, close }] = adding ?? here;
  const button = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {add}
    </Button>
  );
  const nothing = (
    <Empty icon={empty.icon} title={empty.title} lead={empty.lead}>
      {empty.example}
      {button}
    </Empty>
  );
  const list = (
    <ListPage {...page} add={button} empty={nothing}>
      {children}
      <Suspense>{isAdding && dialog(close)}</Suspense>
    </ListPage>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}
