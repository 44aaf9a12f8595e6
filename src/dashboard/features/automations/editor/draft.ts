import type { ActionType } from '../../../../contract/automations/actions.ts';
import type { ConditionField, ConditionOperator } from '../../../../contract/automations/fields.ts';
import type { Automation, CreateAutomationRequest } from '../../../../sdk/index.ts';

/** A condition as it stands in its fields: whatever it compares with is text there. */
export interface DraftCondition {
  key: number;
  field: ConditionField;
  operator: ConditionOperator;
  values: string[];
}

/** An action as it stands in its fields; what another kind has stays while one looks around. */
export interface DraftAction {
  key: number;
  type: ActionType;
  text: string;
  media: {
    type: 'image' | 'video' | 'audio' | 'document';
    url: string;
    mediaId: string;
    caption: string;
  } | null;
  delaySeconds: number;
  assigneeId: string;
  teamId: string;
  add: string[];
  remove: string[];
  status: 'open' | 'pending' | 'resolved';
  priority: 'low' | 'normal' | 'high' | 'urgent';
  url: string;
  assistantId: string;
}

/** An automation while somebody edits it. */
export interface Draft {
  name: string;
  enabled: boolean;
  on: Automation['on'];
  waitingMinutes: number;
  inGroups: boolean;
  conditions: DraftCondition[];
  actions: DraftAction[];
  cooldownSeconds: number;
}

let lastKey = 0;
const nextKey = () => {
  lastKey += 1;
  return lastKey;
};

export const newCondition = (
  field: ConditionField,
  operator: ConditionOperator,
  values: string[] = [],
): DraftCondition => ({ key: nextKey(), field, operator, values });

export const newAction = (type: ActionType, more: Partial<DraftAction> = {}): DraftAction => ({
  key: nextKey(),
  type,
  text: '',
  media: null,
  delaySeconds: 0,
  assigneeId: '',
  teamId: '',
  add: [],
  remove: [],
  status: 'resolved',
  priority: 'high',
  url: '',
  assistantId: '',
  ...more,
});

export const newDraft = (more: Partial<Draft> = {}): Draft => ({
  name: '',
  // Nobody gets anything before somebody has switched it on.
  enabled: false,
  on: 'message.received',
  waitingMinutes: 15,
  inGroups: false,
  conditions: [],
  actions: [],
  cooldownSeconds: 0,
  ...more,
});

type SentCondition = NonNullable<CreateAutomationRequest['conditions']>[number];
type SentAction = CreateAutomationRequest['actions'][number];

export function draftOf(automation: Automation): Draft {
  const { name, enabled, on, waitingMinutes, inGroups, conditions, actions, cooldownSeconds } = automation;
  return newDraft({
    name,
    enabled,
    on,
    waitingMinutes: waitingMinutes ?? 15,
    inGroups,
    cooldownSeconds,
    conditions: conditions.map(({ field, operator, value }) =>
      newCondition(field as ConditionField, operator, value === undefined ? [] : [value].flat().map(String)),
    ),
    actions: (actions as SentAction[]).map(draftActionOf),
  });
}

function draftActionOf(action: SentAction): DraftAction {
  const { type, ...fields } = action;
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const draft = newAction(type, Object.fromEntries(known) as Partial<DraftAction>);
  if (draft.media === null) return draft;
  return {
    ...draft,
    media: {
      ...draft.media,
      url: draft.media.url ?? '',
      mediaId: draft.media.mediaId ?? '',
      caption: draft.media.caption ?? '',
    },
  };
}

/** The automation as it is sent. */
export function requestOf(draft: Draft): CreateAutomationRequest {
  const { name, enabled, on, waitingMinutes, inGroups, conditions, actions, cooldownSeconds } = draft;
  return {
    name: name.trim(),
    enabled,
    on,
    waitingMinutes: on === 'conversation.waiting' ? waitingMinutes : null,
    inGroups,
    conditions: conditions.map(sentCondition),
    actions: actions.map(sentAction),
    cooldownSeconds,
  };
}

function sentCondition({ field, operator, values }: DraftCondition): SentCondition {
  const [first = ''] = values;
  if (operator === 'exists') return { field, operator, value: first !== 'false' };
  if (field === 'isFirstMessage') return { field, operator, value: first !== 'false' };
  const takesSeveral = operator === 'in' || operator === 'contains' || operator === 'starts_with';
  if (operator === 'in' || (takesSeveral && values.length > 1)) return { field, operator, value: values };
  return { field, operator, value: first };
}

function sentAction(draft: DraftAction): SentAction {
  const { type, text, media, delaySeconds, assigneeId, teamId, add, remove, status, priority, url } = draft;
  switch (type) {
    case 'reply':
      return {
        type,
        ...(media === null ? { text } : { media: sentMedia(media) }),
        ...(delaySeconds > 0 && { delaySeconds }),
      };
    case 'assign':
      return { type, ...(teamId === '' ? { assigneeId: assigneeId || null } : { teamId }) };
    case 'label':
      return { type, ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) };
    case 'set_status':
      return { type, status };
    case 'set_priority':
      return { type, priority };
    case 'note':
      return { type, text };
    case 'call_webhook':
      return { type, url: url.trim() };
    case 'start_assistant':
      return { type, ...(draft.assistantId !== '' && { assistantId: draft.assistantId }) };
    case 'stop':
      return { type };
  }
}

function sentMedia({ type, url, mediaId, caption }: NonNullable<DraftAction['media']>) {
  return {
    type,
    ...(mediaId === '' ? { url: url.trim() } : { mediaId }),
    ...(caption !== '' && type !== 'audio' && { caption }),
  };
}
