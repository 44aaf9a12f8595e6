import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { BridgeLink } from './bridge-link.ts';

/** How long the network may take to say whether somebody is there. */
const answerWithinMs = 5_000;

const unanswered: Refusal = refuse(
  'SENDER_UNAVAILABLE',
  'The network could not be asked about the recipient.',
);

/**
 * Questions to the network, over the link. They live in memory alone: whoever asks waits for the answer, which keeps
 * the object awake, and asks again when it was lost.
 */
export class ContactChecks {
  readonly #link: BridgeLink;
  readonly #open = new Map<number, (onNetwork: boolean | null) => void>();
  #lastId = 0;

  constructor(link: BridgeLink) {
    this.#link = link;
  }

  async ask(phoneNumber: string): Promise<{ ok: true; onNetwork: boolean } | Refusal> {
    if (!this.#link.ready) return unanswered;
    this.#lastId = Math.max(this.#lastId + 1, Date.now());
    const requestId = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<boolean | null>();
    this.#open.set(requestId, resolve);
    this.#link.send({ type: 'contact.check', requestId, phoneNumber });
    const tooLate = scheduler.wait(answerWithinMs).then(() => null);
    const onNetwork = await Promise.race([promise, tooLate]);
    this.#open.delete(requestId);
    return onNetwork === null ? unanswered : { ok: true, onNetwork };
  }

  answered(requestId: number, onNetwork: boolean | null): void {
    this.#open.get(requestId)?.(onNetwork);
  }
}
