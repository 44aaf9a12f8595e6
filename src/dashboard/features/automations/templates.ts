import { type Draft, newAction, newCondition, newDraft } from './editor/draft.ts';
import type { TemplateName } from './template-names.ts';

/** The texts of an automation that starts from a template, in the language of whoever makes it. */
export type TemplateTexts = (
  name:
    | 'awayName'
    | 'awayText'
    | 'welcomeName'
    | 'welcomeText'
    | 'keywordName'
    | 'keywordWord'
    | 'keywordText'
    | 'menuName'
    | 'menuText'
    | 'choiceName'
    | 'choiceText'
    | 'waitingName'
    | 'waitingText'
    | 'forwardName',
) => string;

const hour = 3_600;

export function templateDraft(start: TemplateName, words: TemplateTexts): Draft {
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
