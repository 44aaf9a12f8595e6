import type { Pacing } from '../../../contract/numbers/sender-settings.ts';
import { regionNear } from '../../bridge-fleet/fleet-of.ts';
import type { KnownAlias, NewsTaken, NumberNews, SenderReport } from '../../hand-over/number-news.ts';
import { logFault } from '../../log.ts';
import { registryNameOf } from '../../phone-registry/registry-name.ts';
import type { SenderLoad } from '../senders/sender.ts';

import type { AccountClass } from './account-object.ts';

export function numberVerbs<Base extends AccountClass>(base: Base) {
  return class extends base {
    /**
     * Creates the object of a new number of the account. The account does it, so that the object is near the account; `near`:
     * where the account's people are, as far as the Worker knows. Safe to repeat.
     */
    async provisionNumber(
      numberId: string,
      pacing: Pacing,
      near: DurableObjectLocationHint | null = null,
    ): Promise<void> {
      const hint = locationHint(this.parts.sql, near);
      const number = this.env.PHONE_NUMBER.getByName(numberId, hint === null ? {} : { locationHint: hint });
      const region = regionNear(this.env, hint);
      await number.provision({ accountId: this.accountId, numberId, region });
      await number.configure(pacing);
    }

    /** Takes a place for a pairing; false when `most` others of the account are under way. Null: as many as they like. */
    beginPairing(numberId: string, most: number | null): boolean {
      const now = Date.now();
      return this.parts.pendingPairings.begin(numberId, this.parts.senders.reports(now), most, now);
    }

    /** The pairing that {@link beginPairing} had a place for did not begin. */
    endPairing(numberId: string): void {
      this.parts.pendingPairings.giveBack(numberId);
    }

    /**
     * A phone was linked to this number. False: it is already linked to another number of the account. If another account of
     * the deployment had it, that account is told.
     */
    async claimPhone(numberId: string, phoneNumber: string): Promise<boolean> {
      const { configuration, senders, phoneClaims } = this.parts;
      const { senders: configured } = await configuration.current();
      const now = Date.now();
      const others = { has: (other: string) => other !== numberId && configured.has(other) };
      if (senders.linkedTo(phoneNumber, others) !== null || !phoneClaims.claim(phoneNumber, numberId, now))
        return false;
      const registry = this.env.PHONE_REGISTRY.getByName(registryNameOf(phoneNumber));
      const holder = { accountId: this.accountId, numberId };
      this.ctx.waitUntil(
        registry
          .claim(holder, phoneNumber)
          .catch((error) => logFault('phone.not_registered', error, { numberId })),
      );
      return true;
    }

    /** A number tells how it is, what it gives back and who wrote to it. Repeats change nothing. */
    async hear(news: NumberNews): Promise<NewsTaken> {
      const { configuration, housekeeping } = this.parts;
      const current = await configuration.current();
      const now = Date.now();
      if (configuration.mayExist) {
        housekeeping.begin(now);
        return this.parts.news.hear(news, current, now);
      }
      // Of an account that never was, nothing is kept.
      const takenUpTo = news.notes.at(-1)?.seq ?? 0;
      return { takenUpTo, rerouteAfterMs: current.settings.rerouteAfterMs };
    }

    /**
     * Aliases and the phone numbers that they belong to. What a person wrote or writes under an alias counts for the phone
     * number. Safe to repeat.
     */
    async knowAliases(known: readonly KnownAlias[]): Promise<void> {
      const { configuration, housekeeping, news } = this.parts;
      await configuration.current();
      // Of an account that never was, nothing is kept.
      if (!configuration.mayExist) return;
      const now = Date.now();
      housekeeping.begin(now);
      news.knowAliases(known, now);
    }

    /** Each number as the account knows it now. */
    senders(): Record<string, SenderReport> {
      return this.parts.senders.reports(Date.now());
    }

    /** What each number has to send, and may still send today. */
    senderLoads(): Record<string, SenderLoad> {
      return this.parts.senders.loads();
    }
  };
}

/** Where the account is used from: as it was first told, and kept. Null while nobody has said. */
function locationHint(
  sql: SqlStorage,
  told: DurableObjectLocationHint | null,
): DurableObjectLocationHint | null {
  if (told !== null) sql.exec('INSERT OR IGNORE INTO location (id, hint) VALUES (1, ?)', told);
  const row = sql.exec<{ hint: DurableObjectLocationHint }>('SELECT hint FROM location').toArray()[0];
  return row?.hint ?? null;
}
