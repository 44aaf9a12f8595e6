import type { Refusal } from '../../../contract/errors.ts';
import { log, logFault, shortNumber } from '../../log.ts';
import type { SendCounts } from '../admission/send-counts.ts';
import type { RecipientChecks } from './recipient-checks.ts';

/** `address`: the digits by which the network knows them, where those are others. */
type Answer = { ok: true; onNetwork: boolean; address?: string | undefined } | Refusal;

/** Questions to the network about recipients: one at a time about each, counted against the asking number's day. */
export class LookUps {
  readonly #checks: RecipientChecks;
  readonly #counts: SendCounts;
  readonly #ask: (numberId: string, phoneNumber: string) => Promise<Answer>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    checks: RecipientChecks,
    counts: SendCounts,
    ask: (numberId: string, phoneNumber: string) => Promise<Answer>,
  ) {
    this.#checks = checks;
    this.#counts = counts;
    this.#ask = ask;
  }

  /** Asks about a recipient through a number and keeps the answer. Never throws: what cannot be asked stays unknown. */
  lookUp(phoneNumber: string, numberId: string): Promise<void> {
    const running = this.#running.get(phoneNumber);
    if (running) return running;
    const lookUp = this.#lookUp(phoneNumber, numberId).finally(() => this.#running.delete(phoneNumber));
    this.#running.set(phoneNumber, lookUp);
    return lookUp;
  }

  async #lookUp(phoneNumber: string, numberId: string): Promise<void> {
    this.#counts.noteCheck(numberId, Date.now());
    try {
      const answer = await this.#ask(numberId, phoneNumber);
      if (answer.ok) this.#checks.note(phoneNumber, answer.onNetwork, Date.now(), answer.address);
      const outcome = answer.ok ? { onNetwork: answer.onNetwork } : { code: answer.code };
      log('recipient.looked_up', { numberId, phoneNumber: shortNumber(phoneNumber), ...outcome });
    } catch (error) {
      logFault('recipient.look_up_failed', error, { numberId });
    }
  }
}
