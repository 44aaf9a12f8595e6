import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { QueryState, Waiting } from '../../parts/feedback.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { automationQuery } from '../../queries/automations.ts';
import { draftOf } from './editor/draft.ts';

const AutomationEditor = lazy(() => import('./editor/automation-editor.tsx'));

/** One automation: its editor, what it would have done, and what it has done. */
export function AutomationPage() {
  const t = useTranslations('automations');
  const { automationId } = useParams({ from: '/signed-in/automations/$automationId' });
  const query = useQuery(automationQuery(automationId));
  const automation = query.data;
  if (automation === undefined) {
    return (
      <Page title={t('title')}>
        <QueryState query={query} />
      </Page>
    );
  }
  return (
    <Suspense fallback={<Waiting />}>
      <AutomationEditor key={automationId} automation={automation} start={draftOf(automation)} />
    </Suspense>
  );
}
