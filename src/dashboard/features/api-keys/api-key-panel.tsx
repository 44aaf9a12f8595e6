import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { ConfirmButton, DialogButton } from '../../parts/asking/dialog-button.tsx';
import { Note, Status } from '../../parts/feedback.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { ShortId } from '../../parts/values/copyable.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { apiKeysQuery, forgetApiKey } from '../../queries/developers/api-keys.ts';
import { idleDays, keyStateTone, shortPrefix, stateOf, useSenderName } from './api-keys-page.tsx';

const KeyDialog = lazy(() => import('./key-dialog.tsx'));

/** One key: what it may do, whether it is in use, and its end. */
export default function ApiKeyPanel() {
  const t = useTranslations('apiKeys');
  const { keyId } = useParams({ from: '/signed-in/developer/api-keys/$keyId' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/developer/api-keys' });
  const query = useQuery(apiKeysQuery);
  const key = query.data?.find(({ id }) => id === keyId);
  return (
    <SidePanel
      key={keyId}
      title={key?.name ?? t('columnKey')}
      subtitle={key && <code title={key.prefix}>{shortPrefix(key)}</code>}
      query={query}
      onClose={close}
    >
      {query.data !== undefined && key === undefined && <p>{t('gone')}</p>}
      {key && (
        <>
          <KeyActions apiKey={key} onRevoked={close} />
          {stateOf(key) === 'idle' && <Note tone="blue">{t('idleNote', { days: String(idleDays) })}</Note>}
          <KeyFacts apiKey={key} />
        </>
      )}
    </SidePanel>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  const senderName = useSenderName();
  const { id, scopes, lastUsedAt, createdAt, expiresAt, allowedAddresses } = apiKey;
  const lines = (values: readonly string[]) =>
    values.map((value) => (
      <div key={value}>
        <code>{value}</code>
      </div>
    ));
  return (
    <Facts
      facts={[
        [
          common('state'),
          <Status key="state" tone={keyStateTone[stateOf(apiKey)]}>
            {t(`state.${stateOf(apiKey)}`)}
          </Status>,
        ],
        [t('sender'), senderName(apiKey)],
        [common('lastUsed'), lastUsedAt === null ? common('never') : <Moment key="used" at={lastUsedAt} />],
        [common('createdAt'), <Moment key="created" at={createdAt} />],
        [t('expiry'), expiresAt === undefined ? t('expiries.never') : <Moment key="end" at={expiresAt} />],
        [t('addresses'), allowedAddresses === undefined ? common('any') : lines(allowedAddresses)],
        [t('scopes'), lines(scopes)],
        [common('id'), <ShortId key="id" id={id} />],
      ]}
    />
  );
}

function KeyActions({ apiKey, onRevoked }: { apiKey: ApiKey; onRevoked: () => void }) {
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  return (
    <Group gap="xs" role="group" aria-label={t('actions')}>
      <DialogButton
        action={common('edit')}
        dialog={(close) => <KeyDialog apiKey={apiKey} onClose={close} />}
      />
      <SmallButton
        renderRoot={(props) => <Link to="/developer/requests" search={{ keyId: apiKey.id }} {...props} />}
      >
        {t('requests')}
      </SmallButton>
      <ConfirmButton
        isGrave
        title={common('revokeTitle', { name: apiKey.name })}
        lead={t('revokeLead')}
        action={common('revoke')}
        onConfirm={async () => {
          await gateway.apiKeys.revoke(apiKey.id);
          onRevoked();
          forgetApiKey(apiKey.id);
        }}
      />
    </Group>
  );
}
