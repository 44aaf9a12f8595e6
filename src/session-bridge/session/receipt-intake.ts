import { LRUCache } from 'lru-cache';
import type { NetworkReceipt, NumberFact } from '../../contract/bridge/bridge-frames.ts';
import { phoneNumberSchema } from '../../contract/ids.ts';
import type { FactLog } from '../journal/facts.ts';
import type { RawReceipt } from '../network/connection/connection.ts';

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
   * On disk when it returns. Where the phone number must be looked up first, the receipt is sent when it is known, or
   * after the time allowed for it.
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
    const { promise: tooLate, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), this.#options.aliasLookupMs);
    void Promise.race([phoneNumberOfAlias(lid, receipt.groupId).catch(() => null), tooLate]).then(
      (phoneNumber) => {
        clearTimeout(timer);
        if (phoneNumber) this.#phoneNumberByLid.set(lid, phoneNumber);
        this.#options.facts.complete(held, factOf(receipt, phoneNumber));
      },
    );
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
