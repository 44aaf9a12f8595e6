import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Empty } from '../feedback/empty.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { ListPage, type ListPageProps } from './list-page.tsx';
import { ListWithPanel } from './list-with-panel.tsx';

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
