import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { QueryState, Waiting } from '../../parts/feedback.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { automationQuery } from '../../queries/automations.ts';
import type { TemplateName } from './automation-names.ts';
import { type Draft, draftOf, newAction, newCondition, newDraft } from './editor/draft.ts';
import { TemplateList } from './template-list.tsx';

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

/** A new automation: first what to start from, then the editor with it. */
export function NewAutomationPage() {
  const t = useTranslations('automations');
  const words = useTranslations('automations.templateTexts');
  const { start } = useSearch({ from: '/signed-in/automations/new' });
  const draft = useMemo(() => (start === undefined ? null : templateDraft(start, words)), [start, words]);
  if (draft === null) {
    return (
      <Page title={t('add')} lead={t('newLead')}>
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

/** The texts of an automation that starts from a template, in the language of whoever makes it. */
type TemplateTexts = ReturnType<typeof useTranslations<'automations.templateTexts'>>;

const hour = 3_600;

function templateDraft(start: TemplateName, words: TemplateTexts): Draft {
  const reply = (text: string) => newAction('reply', { text });
  switch (start) {
    case 'away':
      return newDraft({
        name: words('awayName'),
        on: 'outside_hours',
        actions: [reply(words('awayText'))],
        cooldownSeconds: 12 * hour,
      });
    case 'welcome':
      return newDraft({
        name: words('welcomeName'),
        conditions: [newCondition('isFirstMessage', 'equals', ['true'])],
        actions: [reply(words('welcomeText'))],
      });
    case 'keyword':
      return newDraft({
        name: words('keywordName'),
        conditions: [newCondition('text', 'contains', [words('keywordWord')])],
        actions: [reply(words('keywordText')), newAction('stop')],
        cooldownSeconds: hour,
      });
    case 'menu':
      return newDraft({
        name: words('menuName'),
        conditions: [newCondition('text', 'in', ['menu', '0'])],
        actions: [reply(words('menuText')), newAction('stop')],
      });
    case 'choice':
      return newDraft({
        name: words('choiceName'),
        conditions: [newCondition('text', 'equals', ['1'])],
        actions: [reply(words('choiceText')), newAction('stop')],
      });
    case 'waiting':
      return newDraft({
        name: words('waitingName'),
        on: 'conversation.waiting',
        waitingMinutes: 30,
        actions: [
          newAction('set_priority', { priority: 'urgent' }),
          newAction('note', { text: words('waitingText') }),
        ],
      });
    case 'forward':
      return newDraft({ name: words('forwardName'), actions: [newAction('call_webhook')] });
    case 'blank':
      return newDraft({ actions: [reply('')] });
  }
}
