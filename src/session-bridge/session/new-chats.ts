import { refusalWeight } from '../../contract/messages/send-refusals.ts';
import type { FactLog } from '../journal/facts.ts';
import { errorText, type Log } from '../logging.ts';
import type { NetworkConnection, NewChatRestriction } from '../network/connection/connection.ts';
import { remedyFor } from '../network/connection/send-refusals.ts';
import type { RefusedSend } from './outbox/second-chances.ts';

export interface NewChatsOptions {
  /** Null while the session is not open. */
  connection: () => NetworkConnection | null;
  facts: FactLog;
  isEnding: () => boolean;
  log: Log;
}

/** Whether the network lets a number start chats, and what may be tried again if it does not. */
export class NewChats {
  readonly #options: NewChatsOptions;
  /** What the network is being asked for, because of the refusal at hand. */
  #restriction: Promise<NewChatRestriction | null> | null = null;

  constructor(options: NewChatsOptions) {
    this.#options = options;
  }

  /** After a login: tells the edge what the network says, as far as it says anything. */
  opened(): void {
    void this.#report('any');
  }

  /** Takes the network's answer to a message, because of which a second chance may be asked for. */
  during(errorCode: string | null, act: () => void): void {
    // A message that was refused this way is never sent again, but only the network knows until when new chats are restricted.
    // If it reports no restriction, the refusal still counts.
    this.#restriction = refusalWeight(errorCode) === 'restriction' ? this.#report('active') : null;
    act();
    this.#restriction = null;
  }

  /** While the number may begin no chats, nothing is tried: each try makes that last longer. */
  secondChance({ chatType, errorCode, providerMessageId }: RefusedSend): Promise<boolean> | null {
    const remedy = remedyFor(errorCode, chatType);
    const connection = this.#options.connection();
    if (!remedy || !connection) return null;
    if (remedy !== 'other address') return connection.remedy(providerMessageId, remedy);
    const restriction = this.#restriction ?? this.#report('active');
    return restriction.then(
      (told) => told?.isActive === false && connection.remedy(providerMessageId, remedy),
    );
  }

  async #report(which: 'any' | 'active'): Promise<NewChatRestriction | null> {
    const { connection, facts, isEnding, log } = this.#options;
    try {
      const restriction = await connection()?.newChatRestriction();
      if (!restriction || isEnding()) return null;
      if (which === 'active' && !restriction.isActive) return restriction;
      facts.append({ type: 'network.restriction', ...restriction });
      if (restriction.isActive) log.warn({ until: restriction.until }, 'network.new_chats_restricted');
      return restriction;
    } catch (error) {
      log.info({ error: errorText(error) }, 'network.restriction_unknown');
      return null;
    }
  }
}
