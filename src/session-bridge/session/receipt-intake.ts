import { LRUCache } from 'lru-cache';
import type { InboundMessage, NetworkReceipt, NumberFact } from '../../contract/bridge/bridge-frames.ts';
import { type SeenContact, seenContactsMax } from '../../contract/contacts/contact.ts';
import { phoneNumberSchema } from '../../contract/ids.ts';
import type { MessageChange } from '../../contract/messages/changes.ts';
import type { FactLog } from '../journal/facts.ts';
import type { Log } from '../logging.ts';
import type { RawReceipt } from '../network/connection/connection.ts';
import { before } from './deadline.ts';

export interface InboundIntakeOptions {
  facts: FactLog;
  aliasLookupMs: number;
  /** It is known who is behind an alias. */
  learn: (lid: string, phoneNumber: string) => void;
  /** The session is over: what is on disk stays as it is. */
  isOver: () => boolean;
  log: Log;
}

/** Journals what people write and change, and the contacts of the phone. All of it is on disk when this returns. */
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

  /**
   * Not reported to the account; the operator sees what it was. Null: it could not be read at all, or has nothing for people.
   */
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

  /** On disk at once, and reported when its author's phone number is known, or after a limited time. */
  #hold(message: InboundMessage, authorLater: () => Promise<string | null>): void {
    const { facts, aliasLookupMs, isOver } = this.#options;
    const held = facts.hold({ type: 'inbound', items: [message] });
    const deadlineMs = Date.now() + aliasLookupMs;
    // Behind the ratchet's step, which the network's answer would hold up.
    setImmediate(() => {
      const found = authorLater().catch(() => null);
      void before(deadlineMs, found, null).then((phoneNumber) => {
        if (isOver()) return;
        const from = phoneNumber ?? message.from;
        facts.complete(held, { type: 'inbound', items: [{ ...message, from }] });
      });
    });
  }
}

const aliasesKept = 1_000;

export interface ReceiptIntakeOptions {
  facts: FactLog;
  /** To whom a message of ours went, where it is known without asking. */
  recipientOf: (providerMessageId: string) => string | null;
  aliasLookupMs: number;
}

/** Turns receipts into facts that name people by phone number wherever that can be known. */
export class ReceiptIntake {
  readonly #options: ReceiptIntakeOptions;
  readonly #phoneNumberByLid = new LRUCache<string, string>({ max: aliasesKept });

  constructor(options: ReceiptIntakeOptions) {
    this.#options = options;
  }

  /**
   * The receipt is on disk when this returns. If the phone number must be looked up first, the receipt is sent when that is
   * known, or after a limited time.
   */
  journal(
    receipt: RawReceipt,
    phoneNumberOfAlias: (lid: string, groupId: string | null) => Promise<string | null>,
  ): void {
    if (receipt.kind === 'evidence') return;
    const known = this.#knownRecipient(receipt);
    if (known || !receipt.recipientLid) {
      this.#options.facts.append(factOf(receipt, known));
      return;
    }
    const lid = receipt.recipientLid;
    const held = this.#options.facts.hold(factOf(receipt, null));
    const found = phoneNumberOfAlias(lid, receipt.groupId).catch(() => null);
    void before(Date.now() + this.#options.aliasLookupMs, found, null).then((phoneNumber) => {
      if (phoneNumber) this.learn(lid, phoneNumber);
      this.#options.facts.complete(held, factOf(receipt, phoneNumber));
    });
  }

  /** Keeps a pair that a message brought along. */
  learn(lid: string, phoneNumber: string): void {
    this.#phoneNumberByLid.set(lid, phoneNumber);
  }

  #knownRecipient({ recipient, recipientLid, groupId, providerMessageIds }: RawReceipt): string | null {
    if (recipient) {
      if (recipientLid) this.learn(recipientLid, recipient);
      return recipient;
    }
    const [id] = providerMessageIds;
    // In a chat of two, whoever confirms a message is the one it was sent to.
    const sentTo = groupId || !id ? null : this.#options.recipientOf(id);
    if (sentTo) return sentTo;
    return (recipientLid && this.#phoneNumberByLid.get(recipientLid)) || null;
  }
}

function factOf(receipt: RawReceipt, recipient: string | null): NumberFact {
  const { kind, at, groupId, recipientLid } = receipt;
  const isPhoneNumber = phoneNumberSchema.safeParse(recipient).success;
  const items = receipt.providerMessageIds.map(
    (providerMessageId): NetworkReceipt => ({
      providerMessageId,
      kind: kind === 'read' ? 'read' : 'delivered',
      at,
      isGroup: groupId !== null,
      ...(recipient && isPhoneNumber && { recipient }),
      ...(recipientLid && { recipientLid }),
    }),
  );
  return { type: 'receipts', items };
}
