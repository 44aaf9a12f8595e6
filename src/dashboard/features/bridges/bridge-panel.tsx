import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Bridge } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { ConfirmButton } from '../../parts/asking/dialog-button.tsx';
import { Note, Problem, Status } from '../../parts/feedback.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { ShortId } from '../../parts/values/copyable.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { bridgesChanged, bridgesQuery, showBridge } from '../../queries/bridges.ts';
import { conditionOf, conditionTone, Memory, nameOf } from './bridges-page.tsx';

/** One bridge: how it does, what that means, and its end. */
export default function BridgePanel() {
  const t = useTranslations('bridges');
  const { bridgeId } = useParams({ from: '/signed-in/operator/bridges/$bridgeId' });
  const navigate = useNavigate();
  const query = useQuery(bridgesQuery);
  const bridge = query.data?.data.find((one) => one.bridgeId === bridgeId);
  return (
    <SidePanel
      key={bridgeId}
      title={bridge === undefined ? t('columnBridge') : nameOf(bridge)}
      query={query}
      onClose={() => void navigate({ to: '/operator/bridges' })}
    >
      {query.data !== undefined && bridge === undefined && <p>{t('unknown')}</p>}
      {bridge && <Details bridge={bridge} />}
    </SidePanel>
  );
}

function Details({ bridge }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  const condition = conditionOf(bridge);
  return (
    <>
      {condition !== 'revoked' && <BridgeActions bridge={bridge} />}
      {condition !== 'linked' && (
        <Note tone={condition === 'lost' ? 'red' : condition === 'away' ? 'amber' : 'blue'}>
          {t(`about.${condition}`)}
        </Note>
      )}
      <BridgeFacts bridge={bridge} />
    </>
  );
}

function BridgeFacts({ bridge }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  const common = useTranslations('common');
  const { bridgeId, region, release, version, numbers, capacity, enrolledAt, linkedAt, leasesUntil } = bridge;
  const condition = conditionOf(bridge);
  return (
    <Facts
      facts={[
        [
          common('state'),
          <Status key="state" tone={conditionTone[condition]}>
            {t(`state.${condition}`)}
          </Status>,
        ],
        [common('numbers'), t('ofCapacity', { numbers, capacity })],
        [t('columnMemory'), <Memory key="memory" bridge={bridge} />],
        region !== null && [t('region'), region],
        [t('columnRelease'), release ?? '–'],
        [t('columnVersion'), version ?? '–'],
        [t('linkedAt'), <Moment key="linked" at={linkedAt} />],
        leasesUntil !== null && [t('goneSince'), <Moment key="gone" at={leasesUntil} />],
        [t('enrolledAt'), <Moment key="enrolled" at={enrolledAt} />],
        [common('id'), <ShortId key="id" id={bridgeId} />],
      ]}
    />
  );
}

/** Empties a bridge, takes it back, or throws it out for good. */
function BridgeActions({ bridge }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  const common = useTranslations('common');
  const { bridgeId, isDraining } = bridge;
  const name = nameOf(bridge);
  const resume = useMutation({
    mutationFn: () => gateway.bridges.resume(bridgeId),
    onSuccess: showBridge,
  });
  return (
    <>
      <Group gap="xs" role="group" aria-label={t('actions')}>
        {isDraining && (
          <Button size="xs" onClick={() => resume.mutate()} loading={resume.isPending}>
            {common('resume')}
          </Button>
        )}
        <ConfirmButton
          isOffered={!isDraining}
          title={t('drainTitle', { name })}
          lead={t('drainLead')}
          action={t('drain')}
          onConfirm={async () => showBridge(await gateway.bridges.drain(bridgeId))}
        />
        <ConfirmButton
          isGrave
          title={common('revokeTitle', { name })}
          lead={t('revokeLead')}
          action={common('revoke')}
          word={name}
          onConfirm={async () => {
            await gateway.bridges.revoke(bridgeId);
            void bridgesChanged();
          }}
        />
      </Group>
      <Problem error={resume.error} />
    </>
  );
}
