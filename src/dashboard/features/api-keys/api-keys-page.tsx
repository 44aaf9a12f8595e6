import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../sdk/index.ts';
import { Status } from '../../parts/feedback.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ResourcePage } from '../../parts/lists/list-page.tsx';
import { CodeBlock } from '../../parts/values/copyable.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { apiKeysQuery } from '../../queries/developers/api-keys.ts';
import { keyStateTone, shortPrefix, stateOf, useSenderName } from './key-state.ts';
import { sendSnippet } from './send-snippets.ts';

const CreateApiKey = lazy(() => import('./form/create-api-key.tsx'));

export function ApiKeysPage() {
  const t = useTranslations('apiKeys');
  const keys = useQuery(apiKeysQuery);
  return (
    <ResourcePage
      title={t('title')}
      lead={t('lead')}
      query={keys}
      rows={keys.data}
      add={t('create')}
      empty={{
        icon: 'key',
        title: t('emptyTitle'),
        lead: t('emptyLead'),
        example: (
          <CodeBlock name={t('snippetName')} text={sendSnippet.curl(window.location.origin, 'sk_live_…')} />
        ),
      }}
      list={(rows) => <KeysTable keys={rows} />}
      dialog={(onClose) => <CreateApiKey onClose={onClose} />}
    />
  );
}

function KeysTable({ keys }: { keys: readonly ApiKey[] }) {
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  const senderName = useSenderName();
  const { keyId: openId } = useParams({ strict: false });
  return (
    <DataTable
      rows={keys}
      keyOf={(key) => key.id}
      openKey={openId}
      columns={[
        {
          head: t('columnKey'),
          cell: (key) => (
            <>
              <Link to="/developer/api-keys/$keyId" params={{ keyId: key.id }}>
                {key.name}
              </Link>
              <small>
                <code title={key.prefix}>{shortPrefix(key)}</code>
              </small>
            </>
          ),
        },
        {
          head: t('columnState'),
          cell: (key) => <Status tone={keyStateTone[stateOf(key)]}>{t(`state.${stateOf(key)}`)}</Status>,
        },
        { head: t('columnSender'), isWide: true, isQuiet: true, cell: (key) => senderName(key) },
        {
          head: t('columnScopes'),
          isWide: true,
          isQuiet: true,
          cell: (key) => t('scopeCount', { count: key.scopes.length }),
        },
        {
          head: t('columnLastUsed'),
          isWide: true,
          isQuiet: true,
          cell: (key) => (key.lastUsedAt === null ? common('never') : <Moment at={key.lastUsedAt} ago />),
        },
      ]}
    />
  );
}
