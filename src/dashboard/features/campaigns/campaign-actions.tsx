import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Campaign } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Confirm } from '../../parts/asking/confirm.tsx';
import { Problem } from '../../parts/feedback.tsx';
import { Icon } from '../../parts/icon.tsx';
import { campaignsChanged, showCampaign } from '../../queries/campaigns.ts';

const MoreMenu = lazy(() => import('./more-menu.tsx'));
const TestDialog = lazy(() => import('./test-dialog.tsx'));

interface Item {
  name: string;
  act: () => void;
}
type Verb = 'pause' | 'resume' | 'retryFailed';

/** What can be done with it now: one button for what is next, the rest in a menu. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns.page');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'start' | 'cancel' | 'delete' | 'test' | null>(null);
  const { campaignId, status, counts } = campaign;
  const act = useMutation({
    mutationFn: (verb: Verb) => gateway.campaigns[verb](campaignId),
    onSuccess: showCampaign,
  });
  const duplicate = useMutation({
    mutationFn: () => gateway.campaigns.duplicate(campaignId),
    onSuccess: (made) => {
      showCampaign(made);
      void navigate({ to: '/campaigns/$campaignId', params: { campaignId: made.campaignId } });
    },
  });
  const isEditable = status === 'draft' || status === 'scheduled';
  const canCancel = status === 'running' || status === 'paused' || status === 'scheduled';
  const canRetry = counts.failed > 0 && ['running', 'paused', 'finished'].includes(status);
  const canDelete = status === 'draft' || status === 'finished' || status === 'cancelled';
  const close = () => setAsked(null);
  const items: Item[] = [
    { name: t('test'), act: () => setAsked('test') },
    ...(canRetry ? [{ name: t('retry'), act: () => act.mutate('retryFailed') }] : []),
    { name: t('duplicate'), act: () => duplicate.mutate() },
    ...(canCancel ? [{ name: t('cancel'), act: () => setAsked('cancel') }] : []),
    ...(canDelete ? [{ name: common('delete'), act: () => setAsked('delete') }] : []),
  ];
  return (
    <Stack gap={8}>
      <Group gap="xs" role="group" aria-label={t('actions')} justify="flex-end">
        {isEditable && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/campaigns/$campaignId/edit" params={{ campaignId }} {...props} />
            )}
          >
            {common('edit')}
          </Button>
        )}
        {isEditable && <Button onClick={() => setAsked('start')}>{t('start')}</Button>}
        {status === 'running' && (
          <Button
            leftSection={<Icon name="pause" size={16} />}
            loading={act.isPending}
            onClick={() => act.mutate('pause')}
          >
            {common('pause')}
          </Button>
        )}
        {status === 'paused' && (
          <Button
            leftSection={<Icon name="play" size={16} />}
            loading={act.isPending}
            onClick={() => act.mutate('resume')}
          >
            {common('resume')}
          </Button>
        )}
        <More items={items} />
      </Group>
      {asked === null && <Problem error={act.error ?? duplicate.error} />}
      <Suspense>
        {asked === 'test' && <TestDialog campaignId={campaignId} onClose={close} />}
        {(asked === 'start' || asked === 'cancel') && (
          <Confirm
            onClose={close}
            title={t(asked === 'start' ? 'startTitle' : 'cancelTitle')}
            lead={t(asked === 'start' ? 'startLead' : 'cancelLead')}
            action={t(asked)}
            onConfirm={async () => showCampaign(await gateway.campaigns[asked](campaignId))}
          />
        )}
        {asked === 'delete' && (
          <Confirm
            onClose={close}
            title={t('deleteTitle')}
            lead={t('deleteLead')}
            onConfirm={async () => {
              await gateway.campaigns.delete(campaignId);
              void navigate({ to: '/campaigns' });
              void campaignsChanged(campaignId);
            }}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** The menu is loaded with the first press. */
function More({ items }: { items: readonly Item[] }) {
  const common = useTranslations('common');
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const button = (
    <Button
      variant="default"
      px={10}
      aria-haspopup="menu"
      aria-label={common('more')}
      onClick={() => {
        setWanted(true);
        setOpen(!isOpen);
      }}
    >
      <Icon name="more" />
    </Button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <MoreMenu isOpen={isOpen} onChange={setOpen} target={button} items={items} />
    </Suspense>
  );
}
