import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../sdk/index.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { ListPage } from '../../parts/frames/list-page.tsx';
import { ListWithPanel } from '../../parts/frames/side-panel.tsx';
import table from '../../parts/frames/table.module.css';
import { Icon } from '../../parts/icon.tsx';
import { CodeBlock } from '../../parts/values/code/code-block.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { apiKeysQuery } from '../../queries/developers/api-keys.ts';
import { keyStateTone, shortPrefix, stateOf } from './key-state.ts';
import { sendSnippet } from './send-snippets.ts';
import { useSenderName } from './sender-name.ts';

const CreateApiKey = lazy(() => import('./create-api-key.tsx'));

export function ApiKeysPage() {
  const t = useTranslations('apiKeys');
  const [isCreating, creating] = useDisclosure();
  const keys = useQuery(apiKeysQuery);
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={creating.open}>
      {t('create')}
    </Button>
  );
  const empty = (
    <Empty icon="key" title={t('emptyTitle')} lead={t('emptyLead')}>
      <CodeBlock name={t('snippetName')} text={sendSnippet.curl(window.location.origin, 'sk_live_…')} />
      {create}
    </Empty>
  );
  const list = (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={keys}
      rows={keys.data}
      add={create}
      empty={empty}
      list={(rows) => <KeysTable keys={rows} />}
    >
      <Suspense>{isCreating && <CreateApiKey onClose={creating.close} />}</Suspense>
    </ListPage>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

function KeysTable({ keys }: { keys: readonly ApiKey[] }) {
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  const senderName = useSenderName();
  const { keyId: openId } = useParams({ strict: false });
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{t('columnKey')}</th>
            <th>{t('columnState')}</th>
            <th className={table.wide}>{t('columnSender')}</th>
            <th className={table.wide}>{t('columnScopes')}</th>
            <th className={table.wide}>{t('columnLastUsed')}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id} data-open={key.id === openId}>
              <td>
                <Link to="/developer/api-keys/$keyId" params={{ keyId: key.id }} className={table.link}>
                  {key.name}
                </Link>
                <div className={table.quiet}>
                  <code title={key.prefix}>{shortPrefix(key)}</code>
                </div>
              </td>
              <td>
                <Status tone={keyStateTone[stateOf(key)]}>{t(`state.${stateOf(key)}`)}</Status>
              </td>
              <td className={`${table.wide} ${table.quiet}`}>{senderName(key)}</td>
              <td className={`${table.wide} ${table.quiet}`}>
                {t('scopeCount', { count: key.scopes.length })}
              </td>
              <td className={`${table.wide} ${table.quiet}`}>
                {key.lastUsedAt === null ? common('never') : <Moment at={key.lastUsedAt} ago />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
