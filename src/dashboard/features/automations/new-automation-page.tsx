import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { readyMadeDraft } from './ready-made.ts';
import { ReadyMadeList } from './ready-made-list.tsx';

const AutomationEditor = lazy(() => import('./editor/automation-editor.tsx'));

/** A new automation: first what to start from, then the editor with it. */
export function NewAutomationPage() {
  const t = useTranslations('automations');
  const words = useTranslations('automations.readyTexts');
  const { start } = useSearch({ from: '/signed-in/automations/new' });
  const draft = useMemo(
    () => (start === undefined ? null : readyMadeDraft(start, (name) => words(name))),
    [start, words],
  );
  if (draft === null) {
    return (
      <Page title={t('newTitle')} lead={t('newLead')}>
        <ReadyMadeList />
      </Page>
    );
  }
  return (
    <Suspense fallback={<Waiting />}>
      <AutomationEditor key={start} automation={null} start={draft} />
    </Suspense>
  );
}
