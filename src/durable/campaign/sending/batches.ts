import type { SkipReason } from '../../../contract/campaigns/campaign.ts';
import type { Refusal } from '../../../contract/errors.ts';
import { ownValue } from '../../../contract/given.ts';
import type { CampaignSend, CampaignSent } from '../../account/campaign-sends.ts';
import { contentFor } from '../audience/freezing.ts';
import type { CampaignDefinition } from '../definition.ts';
import { afterOutcome } from '../outcomes/guard.ts';
import type { OutcomesParts } from '../outcomes/outcomes.ts';
import type { CampaignPorts } from '../ports.ts';
import type { Progress } from '../progress.ts';
import { addressOfId, aliasesFrom, hasLeft, recipientIdOf } from '../recipient.ts';
import type { Recipient, RecipientRows } from '../recipient-rows.ts';
import type { CampaignStore } from '../store.ts';
import { finalFailures } from './sweeps.ts';

/** The account keeps its answers for a day: what is older must not be asked again, or it would be sent twice. */
const answersKeptMs = 23 * 3_600_000;

interface BatchesParts {
  store: CampaignStore;
  rows: RecipientRows;
  ports: Pick<CampaignPorts, 'sendAll' | 'addresses'>;
  stop: OutcomesParts['stop'];
}

/** What an answer of the account says about the sends behind it. */
type Obstacle = 'quota' | 'numbers' | null;

/**
 * A batch of recipients is stored before it is sent to the account, and repeated until the account has responded. Each
 * recipient has an idempotency key of their own. So a repeat gets the first response, and nobody gets the message twice.
 */
export class Batches {
  readonly #parts: BatchesParts;

  constructor(parts: BatchesParts) {
    this.#parts = parts;
  }

  /** Stores whom the account is to be asked about. */
  form(recipients: readonly Recipient[], now: number): void {
    const { ratePerHour } = this.#parts.store.known.definition;
    this.#parts.store.change((progress) => {
      progress.batch = { at: now, ids: recipients.map(({ id }) => id) };
      progress.rateNextAt = nextDue(progress.rateNextAt, ratePerHour, now, recipients.length);
      progress.hold = null;
    });
  }

  /** Asks the account about the batch that is stored. */
  async settle(now: number): Promise<Obstacle> {
    const { store, rows, ports } = this.#parts;
    const { definition, progress } = store.known;
    const { batch, campaignId } = progress;
    if (batch === null) return null;
    const recipients = batch.ids.flatMap((id) => {
      const recipient = rows.find(id);
      return recipient?.state === 'pending' ? [recipient] : [];
    });
    const isLate = now - batch.at > answersKeptMs;
    const twice = isLate ? [] : await this.#otherwiseKnown(recipients);
    const { same, once } = this.#personsOnce(recipients.filter((recipient) => !twice.includes(recipient)));
    const sends = once.map((recipient) => sendOf(recipient, campaignId, definition));
    const answers = isLate || sends.length === 0 ? [] : await ports.sendAll(sends);
    let obstacle: Obstacle = null;
    store.change((current) => {
      for (const { id } of twice) {
        const recipient = rows.find(id);
        if (recipient?.state === 'pending') rows.drop(current.tally, recipient);
      }
      for (const { id } of same) {
        const recipient = rows.find(id);
        if (recipient?.state === 'pending')
          rows.change(current.tally, recipient, { state: 'skipped', reason: 'same_person' });
      }
      for (const [index, { id, attempt }] of once.entries()) {
        const recipient = rows.find(id);
        // They were erased meanwhile.
        if (recipient === null || recipient.state !== 'pending' || recipient.attempt !== attempt) continue;
        const answer = isLate ? unknown : answers[index];
        if (answer !== undefined)
          obstacle = this.#noteAnswer(recipient, answer, current, definition, now) ?? obstacle;
      }
      current.batch = null;
    });
    return obstacle;
  }

  /** Those who were written down under an alias, and whose phone number, known by now, is a recipient too. */
  async #otherwiseKnown(recipients: readonly Recipient[]): Promise<Recipient[]> {
    const contactIds = recipients.flatMap(({ id, contactId }) =>
      id >= aliasesFrom ? (contactId ?? []) : [],
    );
    if (contactIds.length === 0) return [];
    const { rows, ports } = this.#parts;
    const addresses = await ports.addresses(contactIds);
    return recipients.filter(({ id, contactId }) => {
      const address = id >= aliasesFrom && contactId !== null ? ownValue(addresses, contactId) : undefined;
      const otherId = address === undefined ? null : recipientIdOf(address);
      if (otherId === null) return false;
      const others = rows.ofPerson(otherId).filter((one) => one.id !== id);
      return others.some(({ state }) => state !== 'skipped' && state !== 'cancelled');
    });
  }

  /**
   * Of those who are one person under several digits, one at most is written to: `same` are those whose person has a message
   * already. Who is in neither list waits until it is known what becomes of the other one.
   */
  #personsOnce(recipients: readonly Recipient[]): { same: Recipient[]; once: Recipient[] } {
    const [same, once]: [Recipient[], Recipient[]] = [[], []];
    const asked = new Set<number>();
    for (const recipient of recipients) {
      const { id, address } = recipient;
      const others = this.#parts.rows.ofPerson(id, address).filter((other) => other.id !== id);
      if (others.some(mayHaveIt)) same.push(recipient);
      else if (!others.some((other) => asked.has(other.id))) {
        once.push(recipient);
        asked.add(id);
      }
    }
    return { same, once };
  }

  #noteAnswer(
    recipient: Recipient,
    answer: CampaignSent,
    progress: Progress,
    definition: CampaignDefinition,
    now: number,
  ): Obstacle {
    if (answer.ok) {
      const { messageId, numberId, address } = answer;
      this.#parts.rows.change(progress.tally, recipient, {
        state: 'queued',
        messageId,
        numberId,
        address: address === undefined ? null : recipientIdOf(address),
        reason: null,
        errorMessage: null,
      });
      return null;
    }
    if (answer.address !== undefined) {
      // It goes there with the next batch, unless somebody else is that person.
      const address = recipientIdOf(answer.address);
      this.#parts.rows.save({ ...recipient, address: address === recipient.id ? null : address });
      return null;
    }
    const skip = skipOf(answer);
    if (skip !== null) {
      this.#parts.rows.change(progress.tally, recipient, { state: 'skipped', reason: skip });
      return null;
    }
    if (answer.code === 'QUOTA_EXCEEDED') return 'quota';
    if (later.has(answer.code)) return 'numbers';
    this.#parts.rows.change(progress.tally, recipient, {
      state: 'failed',
      reason: answer === unknown ? 'unknown_outcome' : answer.code,
      errorMessage: answer.message,
      failedAt: now,
    });
    const { record, stop } = afterOutcome(progress.guard, 'failed', definition.stopAfterFailures);
    progress.guard = record;
    if (stop !== null) this.#parts.stop(progress, stop);
    return null;
  }
}

/** Whether a message has reached them, or may. */
const mayHaveIt = ({ state, reason }: Recipient): boolean =>
  state === 'queued' || hasLeft(state) || (state === 'failed' && finalFailures.includes(reason ?? ''));

function sendOf(
  { id, address, contactId, attempt, variant, values }: Recipient,
  campaignId: string,
  { texts, numberIds }: CampaignDefinition,
): CampaignSend {
  const text = texts[variant ?? 0] ?? texts[0];
  if (text === undefined) throw new Error('a campaign without a text');
  return {
    campaignId,
    numberIds,
    to: addressOfId(id),
    address: addressOfId(address ?? id),
    ...(id >= aliasesFrom && contactId !== null && { contactId }),
    content: contentFor(text.content, values),
    idempotencyKey: `campaign:${campaignId}:${id}:${attempt}`,
  };
}

/** They say something about the moment, and nothing about the recipient. */
const later = new Set(['NO_HEALTHY_SENDER', 'SENDER_UNAVAILABLE', 'RATE_LIMITED']);

/** The recipient is at fault; null: they are not. */
function skipOf({ code, details }: Refusal): SkipReason | null {
  if (code === 'RECIPIENT_NOT_ON_NETWORK') return 'not_on_network';
  if (code === 'RECIPIENT_INVALID' || code === 'RECIPIENT_IS_LID') return 'not_a_recipient';
  if (code !== 'RECIPIENT_FILTERED') return null;
  const [detail] = details ?? [];
  const filter = detail !== undefined && 'filter' in detail ? detail.filter : null;
  if (filter === 'optOut') return 'opted_out';
  return filter === 'ownNumber' ? 'not_a_recipient' : 'filtered';
}

const unknown: Refusal = {
  ok: false,
  code: 'INTERNAL',
  message: 'The account did not answer for a day: whether it was sent is not known.',
};

/** What a rate an hour lets through in one go: half a minute's worth, so that the numbers are not idle between two looks. */
const burstMs = 30_000;

/** How many may go now, where `nextAt` is when the next one is due; null: as many as one likes. */
export function allowedNow(nextAt: number, ratePerHour: number | null, now: number): number | null {
  if (ratePerHour === null) return null;
  const intervalMs = 3_600_000 / ratePerHour;
  const from = Math.max(nextAt, now - burstMs);
  return now < from ? 0 : Math.floor((now - from) / intervalMs) + 1;
}

/** When the next one is due after so many have gone. */
export function nextDue(nextAt: number, ratePerHour: number | null, now: number, gone: number): number {
  if (ratePerHour === null) return nextAt;
  return Math.max(nextAt, now - burstMs) + Math.round((gone * 3_600_000) / ratePerHour);
}
