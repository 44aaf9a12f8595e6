import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import { dayMs } from '../../../contract/times.ts';
import type { ApiKey } from '../../../sdk/index.ts';
import { Status, type Tone } from '../../parts/feedback.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ResourcePage } from '../../parts/lists/list-page.tsx';
import { CodeBlock } from '../../parts/values/copyable.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { apiKeysQuery } from '../../queries/developers/api-keys.ts';
import { numbersQuery } from '../../queries/numbers.ts';
import { sendSnippet } from './send-snippets.ts';

const KeyDialog = lazy(() => import('./key-dialog.tsx'));

export default function ApiKeysPage() {
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
      dialog={(onClose) => <KeyDialog onClose={onClose} />}
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
          head: common('state'),
          cell: (key) => <Status tone={keyStateTone[stateOf(key)]}>{t(`state.${stateOf(key)}`)}</Status>,
        },
        { head: t('sender'), isWide: true, isQuiet: true, cell: (key) => senderName(key) },
        {
          head: t('scopes'),
          isWide: true,
          isQuiet: true,
          cell: (key) => t('scopeCount', { count: key.scopes.length }),
        },
        {
          head: common('lastUsed'),
          isWide: true,
          isQuiet: true,
          cell: (key) => (key.lastUsedAt === null ? common('never') : <Moment at={key.lastUsedAt} ago />),
        },
      ]}
    />
  );
}

/** The keys of an account begin alike: what tells them apart stands at the end. */
export const shortPrefix = ({ prefix }: ApiKey): string => `${prefix.slice(0, 8)}…${prefix.slice(-6)}…`;

type KeyState = 'active' | 'unused' | 'idle' | 'ending' | 'expired';

export const keyStateTone: Record<KeyState, Tone> = {
  active: 'green',
  unused: 'blue',
  idle: 'grey',
  ending: 'amber',
  expired: 'red',
};

/** Nobody misses a key that was not used for so long. */
export const idleDays = 30;
const endingDays = 7;

export function stateOf(key: ApiKey, now = Date.now()): KeyState {
  const endsAt = key.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt);
  if (endsAt <= now) return 'expired';
  if (endsAt - now < endingDays * dayMs) return 'ending';
  const quietSince = Date.parse(key.lastUsedAt ?? key.createdAt);
  if (now - quietSince > idleDays * dayMs) return 'idle';
  return key.lastUsedAt === null ? 'unused' : 'active';
}

/** What a key sends through, in words. */
export function useSenderName(): (key: ApiKey) => string {
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  const numbers = useQuery(numbersQuery);
  return ({ pinnedNumberId, onPinFailure }) => {
    if (pinnedNumberId === null) return common('pool');
    const number = numbers.data?.find(({ numberId }) => numberId === pinnedNumberId);
    const name = number?.label ?? common('deletedNumber');
    return onPinFailure === 'strict' ? t('pinnedStrict', { name }) : t('pinnedFallback', { name });
  };
}
