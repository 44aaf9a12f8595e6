import type { NumberUpFrame } from '../../../contract/bridge/bridge-frames.ts';
import { log, logFault } from '../../log.ts';
import { newUuid } from '../../new-ids.ts';
import { withBridge } from '../device/device.ts';
import type { NumberParts } from '../number-parts.ts';
import { identify, identityOf, sendTo } from './bridge-link.ts';

interface LinkAnswerTies {
  /** Resolves when all facts that were received so far are settled; null when they are. */
  settled: () => Promise<void> | null;
  /** Tells the bridge what the session is to do. */
  instruct: () => Promise<void>;
  /** After frames were taken: there may be work, or news. */
  onTaken: () => void;
}

/** Answers the frames of a bridge that are no facts: how a link begins, and what the bridge asks. They are never repeated. */
export class LinkAnswers {
  readonly #parts: NumberParts;
  readonly #ties: LinkAnswerTies;

  constructor(parts: NumberParts, ties: LinkAnswerTies) {
    this.#parts = parts;
    this.#ties = ties;
  }

  async answer(frame: Exclude<NumberUpFrame, { type: 'fact' }>, socket: WebSocket): Promise<void> {
    const { device, vault, queries, queue } = this.#parts;
    const identity = identityOf(socket);
    switch (frame.type) {
      case 'link.hello': {
        const { bridgeId, version } = frame;
        identify(socket, { ...identity, bridgeId, version });
        sendTo(socket, { type: 'link.welcome', version, reportOnly: identity.isReportOnly });
        return;
      }
      case 'link.ready': {
        if (identity.isReportOnly) return;
        // Behind the facts that were said before: they tell what need not be handed over again.
        await this.#ties.settled();
        const readyAt = Math.max(Date.now(), queue.lastHandedAt + 1);
        identify(socket, { ...identityOf(socket), readyAt, linkId: newUuid() });
        this.#parts.inboundMedia.linkReady();
        const { known } = device;
        if (known.linkLostAt !== null) device.note({ ...known, linkLostAt: null });
        device.change(withBridge(device.known), Date.now());
        log('link.ready', { numberId: known.numberId, epoch: identity.epoch, version: identity.version });
        await this.#ties.instruct();
        this.#ties.onTaken();
        return;
      }
      case 'vault.get':
        // Behind the facts that were said before: they may hold newer keys.
        await this.#ties.settled();
        sendTo(socket, {
          type: 'vault.entries',
          requestId: frame.requestId,
          entries: identity.isReportOnly ? [] : vault.get(frame.keys),
        });
        return;
      case 'vault.outdated': {
        await this.#ties.settled();
        const { requestId, beginning, after } = frame;
        const outdated = identity.isReportOnly ? [] : vault.outdated(Buffer.from(beginning, 'base64'), after);
        sendTo(socket, { type: 'vault.entries', requestId, entries: outdated });
        return;
      }
      case 'query.result':
        // Behind the facts that were said before: they may be part of the answer.
        await this.#ties.settled();
        queries.answered(frame.queryId, frame.answer);
        return;
      case 'chat.typing':
        if (!identity.isReportOnly) await this.#tellTyping(frame);
        return;
      case 'query.failed':
        queries.failed(frame.queryId, frame.verb, frame.failure);
        this.#ties.onTaken();
        return;
      case 'content.get': {
        const found = await this.#contentOf(frame.providerMessageId);
        const { requestId } = frame;
        sendTo(socket, { type: 'content', requestId, content: null, ...found });
      }
    }
  }

  /** True for a moment: nobody waits for it, and it is not repeated. */
  async #tellTyping({ phoneNumber, lid, state }: Extract<NumberUpFrame, { type: 'chat.typing' }>) {
    const { device, tellTyping } = this.#parts;
    const { accountId, numberId } = device.known;
    try {
      await tellTyping(accountId, { numberId, phoneNumber, lid }, state);
    } catch (error) {
      logFault('typing.not_told', error, { numberId });
    }
  }

  /** What was sent earlier stands in the log. */
  async #contentOf(providerMessageId: string) {
    const { queue, device, contentOf } = this.#parts;
    const queued = queue.findByProviderId(providerMessageId);
    if (queued) return { content: queued.content, to: queued.to };
    try {
      return await contentOf(device.known.accountId, providerMessageId);
    } catch (error) {
      logFault('content.not_found', error, { numberId: device.known.numberId });
      return null;
    }
  }
}
