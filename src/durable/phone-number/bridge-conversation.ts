import {
  bridgeProtocolVersion,
  linkCloseCodes,
  type NumberDownFrame,
  type NumberFact,
  type NumberUpFrame,
} from '../../contract/bridge-frames.ts';
import { log, logFault } from '../log.ts';
import { identify, type LinkIdentity, parseUpFrame, sendTo } from './bridge-link.ts';
import { afterFact, instruction } from './device.ts';
import { type NumberParts, reloadNumber } from './number-parts.ts';

/** What the bridge says, frame by frame: each is stored before it is answered. */
export class BridgeConversation {
  readonly #storage: DurableObjectStorage;
  readonly #parts: NumberParts;
  readonly #onNoSessionWanted: () => void;

  /** `onNoSessionWanted`: the lease goes back. */
  constructor(storage: DurableObjectStorage, parts: NumberParts, onNoSessionWanted: () => void) {
    this.#storage = storage;
    this.#parts = parts;
    this.#onNoSessionWanted = onNoSessionWanted;
  }

  /** Takes a frame; whether anything may have come of it. Closes the link over one that is none, or cannot be stored. */
  take(socket: WebSocket, data: string | ArrayBuffer, identity: LinkIdentity): boolean {
    const { numberId } = this.#parts.device.known;
    const frame = parseUpFrame(data, identity);
    if ('error' in frame) {
      log('link.frame_refused', { numberId, error: frame.error });
      socket.close(linkCloseCodes.protocolError, frame.error);
      return false;
    }
    try {
      const answer = this.#answer(frame, socket, identity);
      if (answer) sendTo(socket, answer);
      return true;
    } catch (error) {
      // Rolled back and not acknowledged: the bridge sends it again over its next link.
      logFault('link.frame_failed', error, { numberId, type: frame.type });
      reloadNumber(this.#parts);
      socket.close(1011, 'the frame could not be stored');
      return false;
    }
  }

  #answer(frame: NumberUpFrame, socket: WebSocket, identity: LinkIdentity): NumberDownFrame | null {
    const { device, vault, contacts, outbox } = this.#parts;
    switch (frame.type) {
      case 'link.hello':
        identify(socket, { ...identity, bridgeId: frame.bridgeId });
        return { type: 'link.welcome', version: bridgeProtocolVersion };
      case 'link.ready': {
        identify(socket, { ...identity, readyAt: Date.now() });
        const { known } = device;
        if (known.linkLostAt !== null) device.note({ ...known, linkLostAt: null });
        log('link.ready', { numberId: known.numberId, epoch: identity.epoch });
        return instruction(known);
      }
      case 'fact':
        this.#takeFact(frame.fact);
        return { type: 'fact.ack', seq: frame.seq };
      case 'vault.get':
        return { type: 'vault.entries', requestId: frame.requestId, entries: vault.get(frame.keys) };
      case 'contact.checked':
        contacts.answered(frame.requestId, frame.onNetwork);
        return null;
      case 'content.get': {
        const content = outbox.find(frame.providerMessageId)?.content ?? null;
        return { type: 'content', requestId: frame.requestId, content };
      }
    }
  }

  /** One fact, one transaction; every fact is safe to repeat. */
  #takeFact(fact: NumberFact): void {
    const now = Date.now();
    const { messages, vault, health, dispatch, device } = this.#parts;
    const before = device.known;
    this.#storage.transactionSync(() => {
      switch (fact.type) {
        case 'send.outcomes':
          return messages.takeOutcomes(fact.items, before, now);
        case 'receipts':
          return messages.takeReceipts(fact.items, before, now);
        case 'inbound':
          return messages.takeInbound(fact.items, before, now);
        case 'vault.put':
          return vault.put(fact.entries);
        case 'network.restriction':
          dispatch.lookAgain();
          return health.noteRestriction(
            { isActive: fact.isActive, until: fact.until === null ? null : Date.parse(fact.until) },
            now,
          );
        case 'session.ended':
          vault.clear();
          return device.change(afterFact(before, fact), now);
        default:
          return device.change(afterFact(before, fact), now);
      }
    });
    if (before.desired !== 'none' && device.known.desired === 'none') this.#onNoSessionWanted();
  }
}
