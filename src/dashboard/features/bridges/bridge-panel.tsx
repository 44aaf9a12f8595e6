import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import type { Bridge } from '../../../sdk/index.ts';
import { Note } from '../../parts/feedback/note.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { ShortId } from '../../parts/values/short-id.tsx';
import { bridgesQuery } from '../../queries/account/bridges.ts';
import { BridgeActions } from './bridge-actions.tsx';
import { conditionOf, conditionTone, nameOf } from './bridge-state.ts';
import { Memory } from './bridges-page.tsx';

/** One bridge: how it does, what that means, and its end. */
export function BridgePanel() {
  const t = useTranslations('bridges');
  const { bridgeId } = useParams({ from: '/signed-in/operator/bridges/$bridgeId' });
  const navigate = useNavigate();
  const close = useCallback(() => void navigate({ to: '/operator/bridges' }), [navigate]);
  const { data, error, isPending, refetch } = useQuery(bridgesQuery);
  const bridge = data?.data.find((one) => one.bridgeId === bridgeId);
  if (bridge === undefined) {
    return (
      <SidePanel key={bridgeId} title={t('columnBridge')} name={t('columnBridge')} onClose={close}>
        {isPending && <Waiting />}
        <Problem error={error} onRetry={() => void refetch()} />
        {data !== undefined && <p>{t('unknown')}</p>}
      </SidePanel>
    );
  }
  const condition = conditionOf(bridge);
  const title = nameOf(bridge);
  return (
    <SidePanel key={bridgeId} title={title} name={title} onClose={close}>
      {condition !== 'revoked' && <BridgeActions bridge={bridge} />}
      {condition !== 'linked' && (
        <Note tone={condition === 'lost' ? 'red' : condition === 'away' ? 'amber' : 'blue'}>
          <p>{t(`about.${condition}`)}</p>
        </Note>
      )}
      <BridgeFacts bridge={bridge} />
    </SidePanel>
  );
}

function BridgeFacts({ bridge }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  const { bridgeId, region, release, version, numbers, capacity, enrolledAt, linkedAt, leasesUntil } = bridge;
  const condition = conditionOf(bridge);
  return (
    <Facts
      facts={[
        [
          t('columnState'),
          <Status key="state" tone={conditionTone[condition]}>
            {t(`state.${condition}`)}
          </Status>,
        ],
        [t('columnNumbers'), t('ofCapacity', { numbers, capacity })],
        [t('columnMemory'), <Memory key="memory" bridge={bridge} />],
        ...(region === null ? [] : [[t('region'), region] as const]),
        [t('columnRelease'), release ?? '–'],
        [t('columnVersion'), version ?? '–'],
        [t('linkedAt'), <Moment key="linked" at={linkedAt} />],
        ...(leasesUntil === null ? [] : [[t('goneSince'), <Moment key="gone" at={leasesUntil} />] as const]),
        [t('enrolledAt'), <Moment key="enrolled" at={enrolledAt} />],
        [t('id'), <ShortId key="id" id={bridgeId} />],
      ]}
    />
  );
}
