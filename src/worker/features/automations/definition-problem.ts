import type { Context } from 'hono';
import type { Action } from '../../../contract/automations/actions.ts';
import type { AutomationDefinition } from '../../../contract/automations/automation.ts';
import { automationProblems } from '../../../contract/automations/fields.ts';
import { variableProblem } from '../../../contract/campaigns/template.ts';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { patternProblem } from '../../../durable/event-log/automations/rules/judge.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../outbound-http/webhook-url.ts';
import { findAssistant } from '../assistants/rows.ts';
import { MediaStore } from '../media/store/media-store.ts';
import { foreignNumbers } from '../numbers/rows.ts';
import { findMemberRow } from '../people/rows/members.ts';
import { teamDefinitions } from '../support/rows.ts';

/** What only the rule as a whole, the account and the rules for URLs can say about it; null where all fits. */
export async function definitionProblem(
  c: Context<AppEnv>,
  definition: Pick<AutomationDefinition, 'on' | 'waitingMinutes' | 'conditions' | 'actions'>,
): Promise<Refusal | null> {
  const [problem] = automationProblems(definition);
  if (problem !== undefined) return invalidField(problem.path, problem.message);
  return (
    patternRefusal(definition) ??
    variableRefusal(definition) ??
    (await numberRefusal(c, definition)) ??
    (await actionRefusal(c, definition)) ??
    (await strangerRefusal(c, definition))
  );
}

function patternRefusal({ conditions }: Pick<AutomationDefinition, 'conditions'>): Refusal | null {
  for (const [index, { operator, value }] of conditions.entries()) {
    const problem = operator === 'matches' ? patternProblem(String(value)) : null;
    if (problem !== null) return invalidField(`conditions.${index}.value`, problem);
  }
  return null;
}

/** A variable that there is none of would go out as it is. */
function variableRefusal({ actions }: Pick<AutomationDefinition, 'actions'>): Refusal | null {
  for (const [index, action] of actions.entries()) {
    for (const [field, text] of Object.entries(textsOf(action))) {
      const problem = variableProblem(text ?? '');
      if (problem !== null) return invalidField(`actions.${index}.${field}`, problem);
    }
  }
  return null;
}

const textsOf = (action: Action): Record<string, string | undefined> => {
  if (action.type === 'note') return { text: action.text };
  return action.type === 'reply' ? { text: action.text, 'media.caption': action.media?.caption } : {};
};

async function numberRefusal(
  c: Context<AppEnv>,
  { conditions }: Pick<AutomationDefinition, 'conditions'>,
): Promise<Refusal | null> {
  const asked = conditions.map(({ field, value }) =>
    field === 'numberId' ? [value].flat().map(String) : [],
  );
  const ids = asked.flat();
  if (ids.length === 0) return null;
  const foreign = await foreignNumbers(openDatabase(c.env.DB), c.get('caller').accountId, ids);
  const index = asked.findIndex((some) => some.some((id) => foreign.includes(id)));
  return index === -1 ? null : invalidField(`conditions.${index}.value`, 'The account has no such number.');
}

async function actionRefusal(
  c: Context<AppEnv>,
  { actions }: Pick<AutomationDefinition, 'actions'>,
): Promise<Refusal | null> {
  const rules = webhookUrlRules(settingsOf(c.env), new URL(c.req.url).host);
  for (const [index, action] of actions.entries()) {
    if (action.type === 'call_webhook') {
      const problem = webhookUrlProblem(action.url, rules);
      if (problem !== null) return invalidField(`actions.${index}.url`, problem);
    }
    if (action.type !== 'reply' || action.media === undefined) continue;
    const { url, mediaId } = action.media;
    const problem = url === undefined ? null : webhookUrlProblem(url, rules);
    if (problem !== null) return invalidField(`actions.${index}.media.url`, problem);
    if (mediaId === undefined) continue;
    const store = new MediaStore(c.env, c.get('caller').accountId);
    if ((await store.find(mediaId, Date.now())) === null) {
      return invalidField(`actions.${index}.media.mediaId`, 'The file does not exist, or was deleted.');
    }
  }
  return null;
}

/** Whom a rule names has to be there when it is saved. */
async function strangerRefusal(
  c: Context<AppEnv>,
  { actions }: Pick<AutomationDefinition, 'actions'>,
): Promise<Refusal | null> {
  for (const [index, action] of actions.entries()) {
    const problem = await strangerIn(c, action);
    if (problem !== null) return invalidField(`actions.${index}.${problem.field}`, problem.message);
  }
  return null;
}

async function strangerIn(c: Context<AppEnv>, action: Action) {
  const db = openDatabase(c.env.DB);
  const { accountId } = c.get('caller');
  if (action.type === 'assign') {
    const { assigneeId, teamId } = action;
    if (assigneeId != null && (await findMemberRow(db, accountId, assigneeId)) === null)
      return { field: 'assigneeId', message: 'The account has no such member.' };
    if (teamId != null && (await teamDefinitions.find(db, accountId, teamId)) === null)
      return { field: 'teamId', message: 'The account has no such team.' };
  }
  if (action.type === 'start_assistant' && action.assistantId !== undefined) {
    if ((await findAssistant(db, accountId, action.assistantId)) === null)
      return { field: 'assistantId', message: 'The account has no such assistant.' };
  }
  return null;
}
