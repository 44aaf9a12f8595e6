import { Button, Flex, Switch, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { Assistant } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Confirm } from '../../parts/asking/confirm.tsx';
import { Problem, QueryState, Waiting } from '../../parts/feedback.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { assistantQuery, assistantsChanged, showAssistant } from '../../queries/assistants.ts';
import { assistantTabs } from './assistant-tabs.ts';

const InstructionsTab = lazy(() => import('./instructions-tab.tsx'));
const KnowledgeTab = lazy(() => import('./knowledge/knowledge-tab.tsx'));
const SettingsTab = lazy(() => import('./settings/settings-tab.tsx'));
const RunsTab = lazy(() => import('./runs/runs-tab.tsx'));

/** One assistant: what it is told, what it knows, how it is set, and what it did. The tab stands in the address. */
export default function AssistantPage() {
  const t = useTranslations('assistants');
  const { assistantId = '' } = useParams({ strict: false });
  const assistant = useQuery(assistantQuery(assistantId));
  if (assistant.data !== undefined) return <Shown assistant={assistant.data} />;
  return (
    <Page title={t('one')}>
      <QueryState query={assistant} />
    </Page>
  );
}

function Shown({ assistant }: { assistant: Assistant }) {
  const t = useTranslations('assistants');
  const navigate = useNavigate();
  const { assistantId, enabled, name } = assistant;
  const { tab = 'instructions' } = useSearch({ strict: false }) as { tab?: string };
  const open = assistantTabs.find((one) => one === tab) ?? 'instructions';
  const toggle = useMutation({
    mutationFn: () => gateway.assistants.update(assistantId, { enabled: !enabled }),
    onSuccess: showAssistant,
  });
  const actions = (
    <Flex gap="md" align="center">
      <Switch
        label={enabled ? t('on') : t('off')}
        checked={enabled}
        disabled={toggle.isPending}
        onChange={() => toggle.mutate()}
        aria-label={t('answers')}
      />
      <DeleteButton assistant={assistant} />
    </Flex>
  );
  return (
    <Page
      title={name}
      lead={enabled ? t('onLead') : t('offLead')}
      back={{ to: '/assistants', title: t('title') }}
      actions={actions}
    >
      <Problem error={toggle.error} />
      <Tabs
        value={open}
        keepMounted={false}
        onChange={(chosen) =>
          void navigate({
            to: '/assistants/$assistantId',
            params: { assistantId },
            search: { tab: assistantTabs.find((one) => one === chosen) ?? 'instructions' },
          })
        }
      >
        <Tabs.List aria-label={name}>
          {assistantTabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={open} pt="lg">
          <Suspense fallback={<Waiting />}>
            {open === 'instructions' && <InstructionsTab key={assistantId} assistant={assistant} />}
            {open === 'knowledge' && <KnowledgeTab key={assistantId} assistant={assistant} />}
            {open === 'settings' && <SettingsTab key={assistantId} assistant={assistant} />}
            {open === 'runs' && <RunsTab key={assistantId} assistant={assistant} />}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function DeleteButton({ assistant: { assistantId } }: { assistant: Assistant }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const [isAsked, asked] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={asked.open}>
        {common('delete')}
      </Button>
      {isAsked && (
        <Confirm
          onClose={asked.close}
          title={t('deleteTitle')}
          lead={t('deleteLead')}
          onConfirm={async () => {
            await gateway.assistants.delete(assistantId);
            void navigate({ to: '/assistants' });
            void assistantsChanged(assistantId);
          }}
        />
      )}
    </>
  );
}
