import { laneOf } from '../../../contract/messages/message.ts';
import { logFault } from '../../log.ts';
import type { Forecast, ForecastRequest, Outlook } from '../../phone-number/queue/turn.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';

interface OutlookParts {
  senders: Senders;
  backlog: Backlog;
  numberOf: (numberId: string) => ReturnType<Env['PHONE_NUMBER']['getByName']>;
}

/** What numbers expect of messages, asked of them. A number that does not answer says nothing. */
export class Outlooks {
  readonly #parts: OutlookParts;

  constructor(parts: OutlookParts) {
    this.#parts = parts;
  }

  /** A message that the number does not have yet, behind `ahead` others that the account keeps for it. */
  async forecast(numberId: string, message: ForecastRequest): Promise<Forecast | null> {
    try {
      return await this.#parts.numberOf(numberId).forecast(message);
    } catch (error) {
      logFault('number.not_asked', error, { numberId });
      return null;
    }
  }

  /** A message that has been accepted; null when neither the account nor the number has it. */
  async waiting(messageId: string, numberId: string): Promise<Outlook | null> {
    const { senders, backlog, numberOf } = this.#parts;
    const isOffered = senders.of(numberId).batch?.includes(messageId) ?? false;
    const message = backlog.find(numberId, messageId);
    if (message === null || isOffered) {
      try {
        const waiting = await numberOf(numberId).outlook(messageId);
        if (waiting !== null || message === null) return waiting;
      } catch (error) {
        logFault('number.not_asked', error, { numberId });
      }
    }
    if (message === null) return null;
    const { sendAt = 0 } = message;
    if (sendAt > Date.now()) return { heldReason: 'scheduled', expectedAt: sendAt };
    const lane = laneOf(message.origin);
    const ahead = backlog.ahead(numberId, lane, messageId);
    const { to: recipient, isNewChat, isAnswer = false } = message;
    const forecast = await this.forecast(numberId, { recipient, isNewChat, isAnswer, lane, ahead });
    if (forecast === null) return { heldReason: null, expectedAt: null };
    const { heldReason, expectedAt } = forecast;
    return { heldReason, expectedAt: heldReason === 'not_connected' ? null : expectedAt };
  }
}
