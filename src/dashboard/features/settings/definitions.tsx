import { Button, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Confirm } from '../../parts/asking/confirm.tsx';
import { Empty, QueryState } from '../../parts/feedback.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { Section } from './section.tsx';

interface DefinitionsProps<Thing> {
  /** Where the words of this kind of thing are. */
  of: 'teams.teams' | 'teams.labels' | 'teams.replies' | 'support.hours' | 'support.policies';
  icon: IconName;
  found: UseQueryResult<Thing[]>;
  idOf: (thing: Thing) => string;
  nameOf: (thing: Thing) => string;
  /** Those of its table; or what is shown instead of one, with the buttons of each thing. */
  columns: readonly Column<Thing>[] | ((things: readonly Thing[], buttonsOf: ButtonsOf<Thing>) => ReactNode);
  /** Deletes one, until all that follows from it is shown. */
  remove: (id: string) => Promise<unknown>;
  dialog: (thing: Thing | null, onClose: () => void) => ReactNode;
}

type ButtonsOf<Thing> = (thing: Thing) => ReactNode;

/** What people define for their account: a list, and what is done to each of it. */
export function Definitions<Thing>(props: DefinitionsProps<Thing>) {
  const { of, icon, found, idOf, nameOf, columns, dialog } = props;
  const t = useTranslations(of);
  const common = useTranslations('common');
  const [edited, setEdited] = useState<{ thing: Thing | null } | null>(null);
  const [removed, setRemoved] = useState<Thing | null>(null);
  const add = <Button onClick={() => setEdited({ thing: null })}>{t('add')}</Button>;
  const buttonsOf = (thing: Thing) => (
    <>
      <SmallButton
        aria-label={common('editNamed', { name: nameOf(thing) })}
        onClick={() => setEdited({ thing })}
      >
        {common('edit')}
      </SmallButton>
      <SmallButton
        color="danger"
        aria-label={common('deleteNamed', { name: nameOf(thing) })}
        onClick={() => setRemoved(thing)}
      >
        {common('delete')}
      </SmallButton>
    </>
  );
  const table = (rows: readonly Thing[], shown: readonly Column<Thing>[]) => {
    const change = {
      head: common('edit'),
      cell: (thing: Thing) => <Group gap={6}>{buttonsOf(thing)}</Group>,
    };
    return <DataTable rows={rows} keyOf={idOf} columns={[...shown, change]} />;
  };
  return (
    <Section title={t('title')} lead={t('lead')}>
      <QueryState query={found} />
      {found.data?.length === 0 && (
        <Empty icon={icon} title={t('emptyTitle')} lead={t('emptyLead')}>
          {add}
        </Empty>
      )}
      {found.data !== undefined && found.data.length > 0 && (
        <>
          {typeof columns === 'function' ? columns(found.data, buttonsOf) : table(found.data, columns)}
          <Group>{add}</Group>
        </>
      )}
      <Suspense>{edited !== null && dialog(edited.thing, () => setEdited(null))}</Suspense>
      {removed !== null && (
        <Confirm
          onClose={() => setRemoved(null)}
          title={common('deleteTitle', { name: nameOf(removed) })}
          lead={t('deleteLead')}
          onConfirm={() => props.remove(idOf(removed))}
        />
      )}
    </Section>
  );
}
