import type { Refusal } from '../../../contract/errors.ts';
import { aliasAddress } from '../../../contract/messages/recipient.ts';
import type { OptOut } from '../recipients/opt-outs.ts';

import type { AccountClass } from './account-object.ts';

export function recipientVerbs<Base extends AccountClass>(base: Base) {
  return class extends base {
    /** Those who do not want to be written to, newest first. */
    optOuts(limit: number, before: string | null): OptOut[] {
      return this.parts.choosing.optOuts.list(limit, before);
    }

    /**
     * What the account has of each of these recipients, in their order. Milliseconds since 1970. `address`: the digits by which
     * the network knows them, as far as it has said; the alias of whom no more is known.
     */
    recipients(
      phoneNumbers: readonly string[],
    ): { address: string; optedOutAt: number | null; lastInboundAt: number | null }[] {
      const { choosing } = this.parts;
      return phoneNumbers.map((phoneNumber) => {
        const addresses = choosing.addressesOf(phoneNumber);
        const talks = addresses.flatMap((address) => [...choosing.conversations.of(address).values()]);
        const wroteAt = talks.map((one) => one.wroteAt ?? 0);
        return {
          address: addresses[0] ?? phoneNumber,
          optedOutAt: choosing.optOuts.since(phoneNumber),
          lastInboundAt: Math.max(0, ...wroteAt) || null,
        };
      });
    }

    /** Why nothing can be sent to a phone number that is one of the account's own; null: it is not. */
    async ownNumberRefusal(phoneNumber: string): Promise<Refusal | null> {
      const { choosing, configuration } = this.parts;
      return choosing.ownNumberRefusal(phoneNumber, await configuration.current());
    }

    /** The digits by which the network knows them. */
    addressOf(phoneNumber: string): string {
      return this.parts.choosing.checks.addressOf(phoneNumber) ?? phoneNumber;
    }

    /** What the network has said about people: by which digits it knows them, where those are others. */
    noteChecked(
      people: readonly { phoneNumber: string; onNetwork: boolean; address?: string | undefined }[],
    ): void {
      const now = Date.now();
      this.ctx.storage.transactionSync(() => {
        for (const { phoneNumber, onNetwork, address } of people) {
          this.parts.choosing.checks.note(phoneNumber, onNetwork, now, address);
        }
      });
    }

    /** They were erased: nothing about them stays except their opt-out, if they have opted out. */
    forgetRecipient(phoneNumber: string): void {
      const { aliases, choosing, peopleFirst, parkedNotes } = this.parts;
      const { conversations, checks, optOuts } = choosing;
      this.ctx.storage.transactionSync(() => {
        const known = aliases.forgetAllOf(phoneNumber).map(aliasAddress);
        for (const address of [phoneNumber, ...known]) {
          conversations.forget(address);
          peopleFirst.forget(address);
          parkedNotes.forget(address);
        }
        // Nobody knows any more whose these digits and aliases are, so an opt-out holds for each of them.
        const digits = checks.digitsOf(phoneNumber);
        for (const from of digits) for (const to of digits) optOuts.copy(from, to);
        for (const alias of known) optOuts.copy(phoneNumber, alias);
        checks.forget(phoneNumber);
      });
    }

    /** Puts somebody on the list, who may be on it: a phone number, or an alias as `<digits>@lid`. */
    addOptOut(phoneNumber: string): { isNew: boolean; optOut: OptOut } {
      return this.parts.choosing.optOuts.add(phoneNumber, Date.now());
    }

    /** Takes somebody off the list under all their addresses; false when they are on it under none. */
    removeOptOut(addresses: string | readonly string[]): boolean {
      const { optOuts } = this.parts.choosing;
      const now = Date.now();
      return this.ctx.storage.transactionSync(() =>
        [addresses]
          .flat()
          .map((address) => optOuts.remove(address, now))
          .includes(true),
      );
    }
  };
}
