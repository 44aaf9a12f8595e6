import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { automationQuery } from '../../queries/automations.ts';
import { draftOf } from './editor/draft.ts';

const AutomationEditor = lazy(() => import('./editor/automation-editor.tsx'));

/** One automation: its editor, what it would have done, and what it has done. */
export function AutomationPage() {
  const t = useTranslations('automations');
  const { automationId } = useParams({ from: '/signed-in/automations/$automationId' });
  const { data: automation, error, isPending, refetch } = useQuery(automationQuery(automationId));
  if (automation === undefined) {
    return (
      <Page title={t('title')}>
        {isPending && <Waiting />}
        <Problem error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Suspense fallback={<Waiting />}>
      <AutomationEditor key={automationId} automation={automation} start={draftOf(automation)} />
    </Suspense>
  );
}
