import { Button, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Confirm } from '../../../parts/asking/confirm.tsx';
import { Empty, QueryState } from '../../../parts/feedback.tsx';
import type { IconName } from '../../../parts/icon.tsx';
import { type Column, DataTable } from '../../../parts/lists/data-table.tsx';
import { inboxSettingsChanged } from '../../../queries/conversations/conversation-details.ts';
import { Section } from '../section.tsx';

interface DefinitionsProps<Thing> {
  /** The words of this kind of thing. */
  of: 'teams' | 'labels' | 'replies';
  icon: IconName;
  found: UseQueryResult<Thing[]>;
  idOf: (thing: Thing) => string;
  nameOf: (thing: Thing) => string;
  columns: readonly Column<Thing>[];
  remove: (id: string) => Promise<void>;
  dialog: (thing: Thing | null, onClose: () => void) => ReactNode;
}

/** What people define for the inbox: a table, and what is done to each of it. */
export function Definitions<Thing>(props: DefinitionsProps<Thing>) {
  const { of, icon, found, idOf, nameOf, columns, dialog } = props;
  const t = useTranslations('teams');
  const common = useTranslations('common');
  const [edited, setEdited] = useState<{ thing: Thing | null } | null>(null);
  const [removed, setRemoved] = useState<Thing | null>(null);
  const add = <Button onClick={() => setEdited({ thing: null })}>{t(`${of}.add`)}</Button>;
  return (
    <Section title={t(`${of}.title`)} lead={t(`${of}.lead`)}>
      <QueryState query={found} />
      {found.data?.length === 0 && (
        <Empty icon={icon} title={t(`${of}.emptyTitle`)} lead={t(`${of}.emptyLead`)}>
          {add}
        </Empty>
      )}
      {found.data !== undefined && found.data.length > 0 && (
        <>
          <DataTable
            rows={found.data}
            keyOf={idOf}
            columns={[
              ...columns,
              {
                head: common('edit'),
                cell: (thing) => (
                  <Group gap={6}>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={common('editNamed', { name: nameOf(thing) })}
                      onClick={() => setEdited({ thing })}
                    >
                      {common('edit')}
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      color="danger"
                      aria-label={common('deleteNamed', { name: nameOf(thing) })}
                      onClick={() => setRemoved(thing)}
                    >
                      {common('delete')}
                    </Button>
                  </Group>
                ),
              },
            ]}
          />
          <Group>{add}</Group>
        </>
      )}
      <Suspense>{edited !== null && dialog(edited.thing, () => setEdited(null))}</Suspense>
      {removed !== null && (
        <Confirm
          onClose={() => setRemoved(null)}
          title={common('deleteTitle', { name: nameOf(removed) })}
          lead={t(`${of}.deleteLead`)}
          action={common('delete')}
          onConfirm={async () => {
            await props.remove(idOf(removed));
            await inboxSettingsChanged();
          }}
        />
      )}
    </Section>
  );
}
