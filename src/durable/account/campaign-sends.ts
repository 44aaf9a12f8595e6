import type { Refusal } from '../../contract/errors.ts';
import type { MessageContent } from '../../contract/messages/content.ts';
import { currentOptOutWords } from '../../contract/texts/opt-out-words.ts';
import { type Plans, planOf } from '../../settings/plans.ts';
import type { CampaignNumber } from '../campaign/sending/room.ts';
import { logFault } from '../log.ts';
import { otherDigits } from './admission/send-as.ts';
import { periodOf, resetAt, type SendCounts } from './admission/send-counts.ts';
import type { Sending } from './admission/sending.ts';
import type { ConfigurationSource } from './configuration/configuration-source.ts';
import type { Backlog } from './outbox/backlog.ts';
import type { Cancelling } from './outbox/cancelling.ts';
import type { RecipientChecks } from './recipients/recipient-checks.ts';
import type { Candidate } from './senders/candidates.ts';
import type { CurrentPool } from './senders/current-pool.ts';
import { leftToday } from './senders/sender.ts';
import type { Senders } from './senders/senders.ts';

/** One message of a campaign. */
export interface CampaignSend {
  campaignId: string;
  /** The only numbers that may send it; null: those of the pool. */
  numberIds: readonly string[] | null;
  to: string;
  /** The digits that the campaign knows the network has for them; then it sends to no others. */
  address?: string;
  /** Whose alias that is. */
  contactId?: string;
  content: MessageContent;
  /** Says which message it is, however often it is asked for. */
  idempotencyKey: string;
}

/**
 * What the account says to it. `address`: the digits that the network has for whom it goes to, where those are others. In a
 * refusal: they are others than the campaign knew, which may have somebody under those already.
 */
export type CampaignSent =
  | { ok: true; messageId: string; numberId: string; address?: string }
  | (Refusal & { address?: string });

/** What a campaign has to know of its account before it sends. */
export interface CampaignOutlook {
  numbers: CampaignNumber[];
  /** Null: as many messages as one likes. */
  quotaLeft: number | null;
  /** When the quota begins anew; milliseconds since 1970. */
  quotaResetAt: number;
}

interface CampaignSendsParts {
  configuration: ConfigurationSource;
  sending: Pick<Sending, 'sendAs'>;
  checks: Pick<RecipientChecks, 'addressOf'>;
  cancelling: Cancelling;
  currentPool: CurrentPool;
  senders: Senders;
  counts: SendCounts;
  plans: Plans;
  backlog: Backlog;
  change: <Result>(work: () => Result) => Result;
  numberOf: (numberId: string) => { giveBack: (messageIds: string[]) => Promise<void> };
}

/** Numbers that are asked at a time. */
const askedAtOnce = 6;

/** What campaigns ask of their account: judged as every send is, and behind everybody else in the queues of the numbers. */
export class CampaignSends {
  readonly #parts: CampaignSendsParts;

  constructor(parts: CampaignSendsParts) {
    this.#parts = parts;
  }

  /** Each is judged by itself, many in one transaction; in their order. */
  sendAll(sends: readonly CampaignSend[]): Promise<CampaignSent[]> {
    const { sending, checks } = this.#parts;
    return Promise.all(
      sends.map(async (send): Promise<CampaignSent> => {
        const {
          campaignId,
          numberIds,
          to,
          address: unlessOtherThan,
          contactId,
          content,
          idempotencyKey,
        } = send;
        const result = await sending.sendAs({
          origin: { kind: 'campaign', campaignId },
          numberId: null,
          ...(numberIds !== null && { among: numberIds }),
          to,
          ...(contactId !== undefined && { contactId }),
          chatType: 'personal',
          content,
          idempotencyKey,
          ...(unlessOtherThan !== undefined && { unlessOtherThan }),
        });
        const address = checks.addressOf(to);
        if (result === otherDigits) return { ...result, address: address ?? to };
        if (!result.ok) return result;
        const { messageId, numberId } = result.answer;
        return { ok: true, messageId, numberId, ...(address !== null && { address }) };
      }),
    );
  }

  /**
   * Takes back what no number has been given yet, and asks the numbers for what they have and no bridge has. What nobody
   * can take back stays as it is.
   */
  async withdraw(
    messageIds: readonly string[],
    numberIds: readonly (string | null)[],
    now: number,
  ): Promise<void> {
    const { cancelling, backlog, change } = this.#parts;
    const atNumbers = new Map<string, string[]>();
    change(() => {
      messageIds.forEach((messageId, place) => {
        const first = numberIds[place] ?? null;
        if (first !== null && cancelling.takeBack(messageId, first, now)) return;
        // It may have moved since it was accepted.
        const moved = backlog.numberOfCampaign(messageId);
        if (moved !== null && cancelling.takeBack(messageId, moved, now)) return;
        if (first !== null) atNumbers.set(first, [...(atNumbers.get(first) ?? []), messageId]);
      });
    });
    const asked = [...atNumbers];
    while (asked.length > 0)
      await Promise.all(asked.splice(0, askedAtOnce).map((some) => this.#ask(...some)));
  }

  /** If a number does not respond, it keeps its messages, and the caller asks again. */
  async #ask(numberId: string, messageIds: string[]): Promise<void> {
    try {
      await this.#parts.numberOf(numberId).giveBack(messageIds);
    } catch (error) {
      logFault('messages.not_withdrawn', error, { numberId });
    }
  }

  async outlook(numberIds: readonly string[] | null, now: number): Promise<CampaignOutlook> {
    const { configuration, currentPool, senders, counts, plans } = this.#parts;
    const current = await configuration.current();
    const candidates = [...currentPool.pool(current, now).all].filter(({ numberId, inPool }) =>
      numberIds === null ? inPool : numberIds.includes(numberId),
    );
    const numbers = candidates.map((candidate): CampaignNumber => {
      const sender = senders.of(candidate.numberId);
      const left = leftToday(sender);
      return {
        numberId: candidate.numberId,
        inPool: candidate.inPool,
        hindrance: hindranceOf(candidate),
        perMinute: sender.report?.perMinute ?? 0,
        waiting: sender.backlog,
        leftToday: left === null ? null : Math.max(0, left),
      };
    });
    const period = periodOf(now);
    const limit = planOf(plans, current.plan).messagesAMonth;
    const quotaLeft = limit === null ? null : Math.max(0, limit - counts.used(period));
    return { numbers, quotaLeft, quotaResetAt: Date.parse(resetAt(period)) };
  }

  async stopWords(): Promise<readonly string[]> {
    const { settings } = await this.#parts.configuration.current();
    return currentOptOutWords(settings.optOut).stopWords;
  }
}

/** Why a number sends nothing for a campaign now; null: it can. */
function hindranceOf({ state, health, isFailing }: Candidate): string | null {
  if (state !== 'connected') return health.reason ?? `The number is ${state}.`;
  if (health.status !== 'healthy') return health.reason ?? `The number is ${health.status}.`;
  return isFailing ? 'The number does not answer for the moment.' : null;
}
