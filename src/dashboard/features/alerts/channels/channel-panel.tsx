import { Box, Button, Group, Stack } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import type { AlertChannel, AlertDelivery } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { kindName } from '../../../parts/alerts.tsx';
import { ConfirmButton, DialogButton } from '../../../parts/asking/dialog-button.tsx';
import { More, Note, Problem, QueryState, Status, type Tone } from '../../../parts/feedback.tsx';
import { SidePanel } from '../../../parts/frames/side-panel.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import {
  channelDeliveriesQuery,
  channelQuery,
  channelsChanged,
  showChannel,
} from '../../../queries/alerts.ts';
import { useNumberLabel } from '../../../queries/numbers.ts';
import classes from './channels.module.css';
import { channelTone, stateOf, targetOf } from './channels-page.tsx';
import { TestButton, TestResult, useTest } from './test-channel.tsx';

/** One channel: how it does, what to do about it, and what went there. */
export default function ChannelPanel() {
  const t = useTranslations('alerts.channels');
  const { channelId } = useParams({ from: '/signed-in/alerts/channels/$channelId' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/alerts/channels' });
  const query = useQuery(channelQuery(channelId));
  const channel = query.data;
  return (
    <SidePanel
      key={channelId}
      title={channel === undefined ? t('title') : (channel.name ?? t(`kinds.${channel.kind}`))}
      subtitle={channel && targetOf(channel)}
      query={query}
      onClose={close}
    >
      {channel && (
        <>
          <ChannelActions channel={channel} onDeleted={close} />
          <ChannelFacts channel={channel} />
          <ChannelDeliveries channelId={channelId} />
        </>
      )}
    </SidePanel>
  );
}

function ChannelFacts({ channel }: { channel: AlertChannel }) {
  const t = useTranslations('alerts.channels');
  const names = useTranslations('alerts.kinds');
  const mutes = useTranslations('alerts.mutes');
  const common = useTranslations('common');
  const label = useNumberLabel();
  const { kind, target, kinds, numberIds, digest, lastDeliveryAt, createdAt } = channel;
  const labelOf = (numberId: string) => label(numberId) ?? mutes('goneNumber');
  return (
    <Facts
      facts={[
        [
          common('state'),
          <Status key="state" tone={channelTone[stateOf(channel)]}>
            {t(`state.${stateOf(channel)}`)}
          </Status>,
        ],
        [t('kind'), t(`kinds.${kind}`)],
        typeof target !== 'string' &&
          'to' in target && [
            t('through'),
            target.numberId === null ? t('anyNumber') : labelOf(target.numberId),
          ],
        [
          t('what'),
          kinds === 'all' ? common('allAlerts') : kinds.map((one) => names(kindName(one))).join(', '),
        ],
        [common('numbers'), numberIds === 'all' ? common('allNumbers') : numberIds.map(labelOf).join(', ')],
        [t('digest'), <When key="digest" digest={digest} />],
        [
          t('columnLast'),
          lastDeliveryAt === null ? common('never') : <Moment key="last" at={lastDeliveryAt} ago />,
        ],
        [t('createdAt'), <Moment key="created" at={createdAt} />],
      ]}
    />
  );
}

function When({ digest }: { digest: AlertChannel['digest'] }) {
  const t = useTranslations('alerts.channels');
  if (digest === null) return t('digests.never');
  const hour = `${String(digest.hour).padStart(2, '0')}:00 (${digest.timeZone})`;
  return `${t(`digests.${digest.only ? 'only' : 'also'}`)}, ${t('dailyAt', { hour })}`;
}

const tones: Record<AlertDelivery['status'], Tone> = {
  pending: 'amber',
  delivered: 'green',
  failed: 'red',
};

/** What went to a channel, with every attempt, newest first. */
function ChannelDeliveries({ channelId }: { channelId: string }) {
  const t = useTranslations('alerts.channels');
  const deliveries = useInfiniteQuery(channelDeliveriesQuery(channelId));
  const shown = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <section aria-label={t('deliveries')}>
      <Stack gap="sm">
        <h3>{t('deliveries')}</h3>
        <QueryState query={deliveries} />
        {shown?.length === 0 && <Hint>{t('noDeliveries')}</Hint>}
        {shown !== undefined && shown.length > 0 && (
          <ul className={classes.deliveries}>
            {shown.map((delivery) => (
              <Delivery key={delivery.deliveryId} delivery={delivery} />
            ))}
          </ul>
        )}
        <More query={deliveries} />
      </Stack>
    </section>
  );
}

function Delivery({ delivery }: { delivery: AlertDelivery }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const { news, alertIds, at, status, attempts, nextAttemptAt } = delivery;
  const failed = attempts.filter(({ error }) => error !== null);
  return (
    <li className={classes.delivery}>
      <Group gap="4px 12px">
        <span>
          {t(`news.${news}`)}
          {alertIds.length > 1 && ` · ${t('alertCount', { count: alertIds.length })}`}
        </span>
        <Hint span>
          <Moment at={at} />
        </Hint>
        <Box component="span" ml="auto">
          <Status tone={tones[status]}>{t(`delivery.${status}`)}</Status>
        </Box>
      </Group>
      {failed.map(({ at: triedAt, error }) => (
        <p key={triedAt} className={classes.error}>
          {error}{' '}
          <Hint span>
            <Moment at={triedAt} />
          </Hint>
        </p>
      ))}
      {nextAttemptAt !== null && (
        <Hint>
          {common('nextAttempt')} <Moment at={nextAttemptAt} />
        </Hint>
      )}
    </li>
  );
}

const ChannelDialog = lazy(() => import('./channel-dialog.tsx'));
const RotateSecret = lazy(() => import('../../../parts/asking/secrets.tsx'));

/** What can be done with a channel now; where nothing arrives, why, and what to do. */
function ChannelActions({ channel, onDeleted }: { channel: AlertChannel; onDeleted: () => void }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const { channelId, enabled, state, lastError } = channel;
  const test = useTest(channelId);
  const toggle = useMutation({
    mutationFn: () => gateway.alertChannels.update(channelId, { enabled: !enabled }),
    onSuccess: showChannel,
  });
  const rotate = async () => {
    const { secret, ...shown } = await gateway.alertChannels.rotateSecret(channelId);
    showChannel(shown);
    return secret;
  };
  return (
    <>
      {state === 'unconfirmed' && <Unconfirmed channelId={channelId} />}
      {state === 'no_mail_server' && <Note tone="amber">{t('noMailLead')}</Note>}
      {stateOf(channel) === 'failing' && (
        <Note tone="red">
          {t('failingLead')} {lastError}
        </Note>
      )}
      <Group gap="xs" role="group" aria-label={t('actions')}>
        {!enabled && (
          <Button size="xs" onClick={() => toggle.mutate()} loading={toggle.isPending}>
            {common('enable')}
          </Button>
        )}
        {state !== 'unconfirmed' && <TestButton test={test} size="xs" />}
        <DialogButton
          action={common('edit')}
          dialog={(close) => <ChannelDialog channel={channel} onClose={close} />}
        />
        {channel.kind === 'webhook' && (
          <DialogButton
            action={common('newSecret')}
            dialog={(close) => <RotateSecret of="alerts.channels" rotate={rotate} onClose={close} />}
          />
        )}
        {enabled && (
          <SmallButton onClick={() => toggle.mutate()} loading={toggle.isPending}>
            {common('disable')}
          </SmallButton>
        )}
        <ConfirmButton
          isGrave
          title={t('deleteTitle')}
          lead={t('deleteLead')}
          action={common('delete')}
          onConfirm={async () => {
            await gateway.alertChannels.delete(channelId);
            onDeleted();
            void channelsChanged(channelId);
          }}
        />
      </Group>
      <TestResult test={test} />
      <Problem error={toggle.error} />
    </>
  );
}

/** Whoever reads at the address has not opened the link yet. */
function Unconfirmed({ channelId }: { channelId: string }) {
  const t = useTranslations('alerts.channels');
  const again = useMutation({ mutationFn: () => gateway.alertChannels.askAgain(channelId) });
  return (
    <>
      <Note tone="amber">{t('unconfirmedLead')}</Note>
      <Group gap="xs">
        <SmallButton loading={again.isPending} onClick={() => again.mutate()}>
          {t('askAgain')}
        </SmallButton>
        {again.isSuccess && <span role="status">{t('askedAgain')}</span>}
      </Group>
      <Problem error={again.error} />
    </>
  );
}
