import type { InboundMessage } from '../../contract/bridge/bridge-frames.ts';
import { type SeenContact, seenContactsMax } from '../../contract/contact.ts';
import type { MessageChange } from '../../contract/messages/changes.ts';
import type { FactLog } from '../journal/facts.ts';
import type { Log } from '../logging.ts';
import { before } from './deadline.ts';

export interface InboundIntakeOptions {
  facts: FactLog;
  aliasLookupMs: number;
  /** It is known who is behind an alias. */
  learn: (lid: string, phoneNumber: string) => void;
  /** The session is being given up: what is on disk stays as it is. */
  isEnding: () => boolean;
  log: Log;
}

/** Journals what people write and change, and whom the phone knows. All of it is on disk when it returns. */
export class InboundIntake {
  readonly #options: InboundIntakeOptions;

  constructor(options: InboundIntakeOptions) {
    this.#options = options;
  }

  /** `authorLater` finds the phone number of an author who is known by alias alone so far. */
  message(message: InboundMessage, authorLater: (() => Promise<string | null>) | null): void {
    const { facts, learn, log } = this.#options;
    if (authorLater) this.#hold(message, authorLater);
    else facts.append({ type: 'inbound', items: [message] });
    if (message.senderLid && message.senderLid !== message.from) learn(message.senderLid, message.from);
    const { chatType, content } = message;
    log.debug({ chatType, messageType: content.type }, 'inbound.journalled');
    if (content.type === 'unsupported') log.info({ kind: content.kind }, 'inbound.unsupported');
  }

  change(change: MessageChange): void {
    this.#options.facts.append({ type: 'changes', items: [change] });
    this.#options.log.debug({ change: change.change }, 'inbound.change_journalled');
  }

  /** It is told to nobody; its operator sees what it was. Null: it could not be read at all, or says nothing to people. */
  nothing(what: string | null): void {
    if (what !== null) this.#options.log.info({ what }, 'inbound.no_message');
  }

  contacts(contacts: readonly SeenContact[]): void {
    const at = new Date().toISOString();
    for (let first = 0; first < contacts.length; first += seenContactsMax) {
      const part = contacts.slice(first, first + seenContactsMax);
      this.#options.facts.append({ type: 'contacts.listed', at, contacts: part });
    }
  }

  /** On disk at once, and told when its author's phone number is known, or after the time allowed for that. */
  #hold(message: InboundMessage, authorLater: () => Promise<string | null>): void {
    const { facts, aliasLookupMs, isEnding } = this.#options;
    const held = facts.hold({ type: 'inbound', items: [message] });
    const deadlineMs = Date.now() + aliasLookupMs;
    // Behind the ratchet's step, which the network's answer would hold up.
    setImmediate(() => {
      const found = authorLater().catch(() => null);
      void before(deadlineMs, found, null).then((phoneNumber) => {
        if (isEnding()) return;
        const from = phoneNumber ?? message.from;
        facts.complete(held, { type: 'inbound', items: [{ ...message, from }] });
      });
    });
  }
}
