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
  const { start } = useSearch({ from: '/signed-in/automations/new' });
  const draft = useMemo(() => (start === undefined ? null : templateDraft(start, t)), [start, t]);
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
type Words = ReturnType<typeof useTranslations<'automations'>>;

const hour = 3_600;

function templateDraft(start: TemplateName, t: Words): Draft {
  const reply = (text: string) => newAction('reply', { text });
  switch (start) {
    case 'away':
      return newDraft({
        name: t('templates.away.title'),
        on: 'outside_hours',
        actions: [reply(t('templateTexts.awayText'))],
        cooldownSeconds: 12 * hour,
      });
    case 'welcome':
      return newDraft({
        name: t('templates.welcome.title'),
        conditions: [newCondition('isFirstMessage', 'equals', ['true'])],
        actions: [reply(t('templateTexts.welcomeText'))],
      });
    case 'keyword':
      return newDraft({
        name: t('templateTexts.keywordName'),
        conditions: [newCondition('text', 'contains', [t('templateTexts.keywordWord')])],
        actions: [reply(t('templateTexts.keywordText')), newAction('stop')],
        cooldownSeconds: hour,
      });
    case 'menu':
      return newDraft({
        name: t('templates.menu.title'),
        conditions: [newCondition('text', 'in', ['menu', '0'])],
        actions: [reply(t('templateTexts.menuText')), newAction('stop')],
      });
    case 'choice':
      return newDraft({
        name: t('templateTexts.choiceName'),
        conditions: [newCondition('text', 'equals', ['1'])],
        actions: [reply(t('templateTexts.choiceText')), newAction('stop')],
      });
    case 'waiting':
      return newDraft({
        name: t('templates.waiting.title'),
        on: 'conversation.waiting',
        waitingMinutes: 30,
        actions: [
          newAction('set_priority', { priority: 'urgent' }),
          newAction('note', { text: t('templateTexts.waitingText') }),
        ],
      });
    case 'forward':
      return newDraft({ name: t('templateTexts.forwardName'), actions: [newAction('call_webhook')] });
    case 'blank':
      return newDraft({ actions: [reply('')] });
  }
}
