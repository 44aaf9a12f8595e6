import type { AlertRows } from '../alerts/alert-rows.ts';
import type { ContactRows } from '../contacts/contact-rows.ts';
import type { Conversation } from '../conversations/conversation.ts';
import { ConversationRows } from '../conversations/rows/conversation-rows.ts';
import type { LogState } from '../log-state.ts';
import type { LoggedInbound } from '../messages/logged-message.ts';
import { CaseRows } from './cases/case-rows.ts';
import { ResponseClock } from './cases/response-clock.ts';
import { SupportSnapshot } from './support-snapshot.ts';
import { SurveyRows } from './surveys/survey-rows.ts';
import { type SendSurvey, Surveys } from './surveys/surveys.ts';

interface Needs {
  storage: DurableObjectStorage;
  d1: D1Database;
  accountId: string;
  state: LogState;
  alerts: AlertRows;
  contacts: ContactRows;
  send: SendSurvey;
}

export type SupportParts = ReturnType<typeof assembleSupport>;

/** How fast people are answered, and how it went: all but what needs the conversations, which hear of it. */
export function assembleSupport({ storage, d1, accountId, state, alerts, contacts, send }: Needs) {
  const { sql } = storage;
  const snapshot = new SupportSnapshot(storage, state, d1, accountId);
  const cases = new CaseRows(sql);
  const conversations = new ConversationRows(sql);
  const surveys = new Surveys({
    storage,
    accountId,
    rows: new SurveyRows(sql),
    cases,
    snapshot,
    isResolved: (conversationId) => conversations.find(conversationId)?.status === 'resolved',
    send,
  });
  const clock = new ResponseClock({
    rows: cases,
    snapshot,
    alerts,
    surveys,
    nameOf: (conversation) => {
      const contact = contacts.at(conversation);
      return contact?.ownName ?? contact?.bookName ?? contact?.pushName ?? null;
    },
  });
  const isRating = (conversation: Conversation, { content, receivedAt }: LoggedInbound): boolean =>
    content.type === 'text' && surveys.answered(conversation, content.text, receivedAt);
  return { snapshot, cases, surveys, clock, isRating };
}
