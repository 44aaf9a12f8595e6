import type { OutboundMessage } from '../../../contract/bridge/bridge-frames.ts';
import type { Log } from '../../logging.ts';
import { before } from '../deadline.ts';
import type { SendEntry } from './send-entry.ts';
import { afterEvent, type SendEvent } from './send-states.ts';

/** How long it may take to find out whether what the network refused may go another way. */
const judgementMs = 15_000;

/** What was handed over and refused by the network. */
export interface RefusedSend {
  providerMessageId: string;
  to: string;
  chatType: OutboundMessage['chatType'];
  errorCode: string;
}

export interface SecondChancesOptions {
  /**
   * Whether a message that the network refused may be handed over again, since another way may work. Null if there is no other
   * way for this code: then it has failed at once.
   */
  secondChance: (refused: RefusedSend) => Promise<boolean> | null;
  isDraining: () => boolean;
  step: (entry: SendEntry, event: SendEvent) => void;
  /** The outcome of one is known. */
  onJudged: () => void;
  log: Log;
}

/** What the network refused, and may take in another way: once a message, and only while its connection lasts. */
export class SecondChances {
  readonly #options: SecondChancesOptions;

  constructor(options: SecondChancesOptions) {
    this.#options = options;
  }

  /** Whether it is looked into if the message may go another way. */
  question(entry: SendEntry, errorCode: string): boolean {
    const { secondChance, isDraining, step, onJudged, log } = this.#options;
    if (entry.isPardoned || isDraining() || afterEvent(entry.state, 'questioned') === entry.state)
      return false;
    const { providerMessageId, to, chatType } = entry.message;
    const chance = secondChance({ providerMessageId, to, chatType, errorCode });
    if (!chance) return false;
    entry.isPardoned = true;
    step(entry, 'questioned');
    void before(Date.now() + judgementMs, chance, false)
      .catch(() => false)
      .then((mayGoOn) => {
        const { messageId } = entry.message;
        if (entry.state === 'judged' && mayGoOn) log.info({ messageId, errorCode }, 'send.another_way');
        step(entry, mayGoOn && !isDraining() ? 'pardoned' : 'condemned');
        onJudged();
      });
    return true;
  }
}
