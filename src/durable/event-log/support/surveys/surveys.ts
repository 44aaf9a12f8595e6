import type { Refusal } from '../../../../contract/errors.ts';
import { aliasAddress } from '../../../../contract/messages/recipient.ts';
import { plainText } from '../../../../contract/texts/text.ts';
import { dayMs } from '../../../../contract/times.ts';
import { endOfWait } from '../../../due-times.ts';
import { logFault } from '../../../log.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import type { CaseRows, SupportCase } from '../cases/case-rows.ts';
import type { SupportSnapshot } from '../support-snapshot.ts';
import type { Survey, SurveyRows } from './survey-rows.ts';

/** Longest answer that is read as a rating, in characters: a number, perhaps with a few words. */
const answerCharactersMax = 300;

export interface Rating {
  /** From 1 to 5. */
  rating: number;
  /** Nothing else was said: nobody has to answer that. */
  isAlone: boolean;
}

/** The rating that somebody answers with; null: it is something else. */
export function ratingOf(text: string): Rating | null {
  if (text.length > answerCharactersMax) return null;
  const plain = plainText(text).replaceAll('\u20E3', '').trim();
  if (/^(?:⭐|★|\u{1F31F}){1,5}$/u.test(plain)) return { rating: [...plain].length, isAlone: true };
  // `5`, `5/5`, `5 thank you`, `5!`: never the beginning of a longer number, a time, a price or a list.
  const found = /^([1-5])(?:\s*\/\s*5)?(?![\d.,:/)%-]*\d)($|[\s!.,;:)-])/u.exec(plain);
  if (found === null) return null;
  return { rating: Number(found[1]), isAlone: /^[\s!.,;:)-]*$/.test(plain.slice(found[0].length)) };
}

/** How long an answer is waited for. */
export const answerMs = 7 * dayMs;
/** Surveys that one run of the timer sends. */
const sentMax = 20;
/** The waits before it is tried again, when it cannot be sent now; then nobody is asked. */
const retryMs = [60_000, 10 * 60_000, 3_600_000, 6 * 3_600_000];
const retryMsMax = Math.max(...retryMs);

/** What passes with time: no room in the quota, no number that could send. */
const passing: readonly string[] = [
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'NO_HEALTHY_SENDER',
  'SENDER_UNAVAILABLE',
];

/** A question on its way to a person. */
export interface SurveyOrder {
  accountId: string;
  numberId: string;
  to: string;
  text: string;
  idempotencyKey: string;
}

/** Who sends them; safe to repeat. */
export type SendSurvey = (order: SurveyOrder) => Promise<{ ok: true } | Refusal>;

/** The conversation that was resolved, as far as a survey is about it. */
type AskedConversation = Pick<Conversation, 'conversationId' | 'numberId' | 'phoneNumber' | 'lid'>;

/** Where a person is asked; before, it may have been the last of these. */
const addressesOf = ({ phoneNumber, lid }: Pick<AskedConversation, 'phoneNumber' | 'lid'>): string[] =>
  [phoneNumber, lid && aliasAddress(lid)].filter((address) => address !== null);

interface Parts {
  storage: DurableObjectStorage;
  accountId: string;
  rows: SurveyRows;
  cases: CaseRows;
  snapshot: SupportSnapshot;
  isResolved: (conversationId: string) => boolean;
  send: SendSurvey;
}

/** Asks people how it went, once their conversation is resolved, and reads what they answer. */
export class Surveys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A conversation is resolved: its person is asked, unless they were lately. Call inside the transaction that says so. */
  resolved(conversation: AskedConversation, of: SupportCase, now: number): void {
    const { conversationId, numberId } = conversation;
    const { rows, snapshot } = this.#parts;
    const { survey } = snapshot.settings;
    const wasAnswered = of.firstWaitingAt !== null && of.firstResponseAt !== null;
    const [phone, ...others] = addressesOf(conversation);
    if (survey === null || phone === undefined || !wasAnswered) return;
    const isRecent = (address: string) => (rows.of(address)?.plannedAt ?? 0) > now - survey.everyDays * dayMs;
    if ([phone, ...others].some(isRecent)) return;
    const { openedAt: caseOpenedAt } = of;
    const planned = { plannedAt: now, dueAt: now, attempts: 0, endsAt: null };
    rows.put({ phone, conversationId, numberId, caseOpenedAt, ...planned });
  }

  /**
   * Somebody has written to a resolved conversation. True: the message is only the answer to the survey, so nobody has to
   * handle it. Call inside the transaction of the message.
   */
  answered(conversation: AskedConversation, text: string, at: number): boolean {
    const { rows, cases } = this.#parts;
    const { conversationId } = conversation;
    const survey = addressesOf(conversation)
      .map((address) => rows.of(address))
      .find((one) => one?.conversationId === conversationId);
    if (!survey || survey.endsAt === null) return false;
    if (at < survey.plannedAt || at > survey.endsAt) return false;
    // Whatever it is, the next message is no answer any more.
    rows.put({ ...survey, endsAt: null });
    const found = ratingOf(text);
    if (found === null) return false;
    cases.rate(survey.caseOpenedAt, conversationId, found.rating);
    return found.isAlone;
  }

  /** When the next one is to be sent; null: none is. */
  dueAt(): number | null {
    const dueAt = this.#parts.rows.earliestDue();
    return dueAt && endOfWait(dueAt, retryMsMax);
  }

  async run(now: number): Promise<void> {
    await Promise.all(
      this.#parts.rows.due(now, now + retryMsMax, sentMax).map((survey) => this.#ask(survey, now)),
    );
  }

  /** Nothing is kept of a person who is to be forgotten. Call inside a transaction. */
  forget(digits: string): void {
    for (const address of addressesOf({ phoneNumber: digits, lid: digits })) this.#parts.rows.remove(address);
  }

  async #ask(survey: Survey, now: number): Promise<void> {
    const { storage, accountId, rows, snapshot, isResolved } = this.#parts;
    const { phone, numberId, conversationId, caseOpenedAt } = survey;
    const { settings } = snapshot;
    const change = (work: () => void) => storage.transactionSync(work);
    // It was opened again, or nobody wants to know any more.
    if (settings.survey === null || !isResolved(conversationId)) return change(() => rows.remove(phone));
    const order = {
      accountId,
      numberId,
      to: phone,
      text: settings.survey.question,
      idempotencyKey: `survey:${conversationId}:${caseOpenedAt}`,
    };
    const outcome = await this.#send(order);
    // Meanwhile there may be another one.
    const known = rows.of(phone);
    if (known?.caseOpenedAt !== caseOpenedAt || known.dueAt === null) return;
    const retryAfterMs = retryMs[survey.attempts];
    change(() => {
      if (outcome === 'sent') {
        rows.put({ ...survey, dueAt: null, endsAt: now + answerMs });
      } else if (outcome === 'refused' || retryAfterMs === undefined) {
        rows.remove(phone);
      } else {
        rows.put({ ...survey, dueAt: now + retryAfterMs, attempts: survey.attempts + 1 });
      }
    });
  }

  async #send(order: SurveyOrder): Promise<'sent' | 'refused' | 'later'> {
    try {
      const answer = await this.#parts.send(order);
      if (answer.ok) return 'sent';
      return passing.includes(answer.code) ? 'later' : 'refused';
    } catch (error) {
      logFault('survey.not_sent', error, { accountId: order.accountId, numberId: order.numberId });
      return 'later';
    }
  }
}
