import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { TemplateList } from './template-list.tsx';
import { templateDraft } from './templates.ts';

const AutomationEditor = lazy(() => import('./editor/automation-editor.tsx'));

/** A new automation: first what to start from, then the editor with it. */
export function NewAutomationPage() {
  const t = useTranslations('automations');
  const words = useTranslations('automations.templateTexts');
  const { start } = useSearch({ from: '/signed-in/automations/new' });
  const draft = useMemo(
    () => (start === undefined ? null : templateDraft(start, (name) => words(name))),
    [start, words],
  );
  if (draft === null) {
    return (
      <Page title={t('newTitle')} lead={t('newLead')}>
        <TemplateList />
      </Page>
    );
  }
  return (
    <Suspense fallback={<Waiting />}>
      <AutomationEditor key={start} automation={null} start={draft} />
    </Suspense>
  );
}
