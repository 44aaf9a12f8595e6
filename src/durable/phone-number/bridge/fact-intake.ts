import {
  linkCloseCodes,
  type NumberFact,
  type NumberUpFrame,
} from '../../../contract/bridge/bridge-frames.ts';
import { log, logFault } from '../../log.ts';
import { afterFact, isBeingLoggedOut, refusedPairing } from '../device/device.ts';
import { isGroupFact } from '../groups/groups.ts';
import { type NumberParts, reloadNumber } from '../number-parts.ts';
import { identityOf, type NoFrame, parseUpFrame } from './bridge-link.ts';
import { FactOrder } from './fact-order.ts';
import { LinkAnswers } from './link-answers.ts';
import {
  applyMessageFact,
  bringsFiles,
  isMessageFact,
  logFactsOf,
  type MessageFact,
  targetsOf,
} from './message-facts.ts';

type FactFrame = Extract<NumberUpFrame, { type: 'fact' }>;

/** A frame that waits for its turn. */
interface Received {
  socket: WebSocket;
  frame: FactFrame;
}

/** Facts of the network in one call of the log. */
const itemsPerCall = 100;
const firstRetryMs = 250;
const retryMsMax = 5_000;
/** After so many calls without an answer the link is closed: the bridge says everything again over the next one. */
const attemptsMax = 8;

interface FactIntakeTies {
  storage: DurableObjectStorage;
  /** Tells the bridge what the session is to do. */
  instruct: () => Promise<void>;
  /** After frames were taken: there may be work, or news. */
  onTaken: () => void;
  /** No session is wanted any more: the lease goes back. */
  onSessionOver: () => void;
}

/**
 * Takes the bridge's facts, strictly in order. Facts about messages go to the log, one call at a time, and are acknowledged
 * when the log has them. Until then the bridge's journal keeps them, and this object stores none of them. Facts about the
 * session and its keys belong to this object.
 */
export class FactIntake {
  readonly #parts: NumberParts;
  readonly #ties: FactIntakeTies;
  readonly #answers: LinkAnswers;
  #received: Received[] = [];
  readonly #order: FactOrder;
  #working: Promise<void> | null = null;

  constructor(parts: NumberParts, ties: FactIntakeTies) {
    this.#parts = parts;
    this.#ties = ties;
    this.#order = new FactOrder(() => parts.device.known.numberId);
    this.#answers = new LinkAnswers(parts, {
      settled: () => this.#working,
      instruct: ties.instruct,
      onTaken: ties.onTaken,
    });
  }

  /** Takes a frame; resolves when all that was received is settled. Closes the link over what is no frame. Never throws. */
  async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const frame = parseUpFrame(data, identityOf(socket));
    if ('error' in frame) {
      this.#refuseNoFrame(socket, frame);
    } else if (frame.type === 'fact') {
      if (!this.#order.isNext(socket, frame)) return;
      this.#received.push({ socket, frame });
      this.#working ??= this.#work().finally(() => {
        this.#working = null;
      });
      await this.#working;
    } else {
      await this.#answers.answer(frame, socket);
    }
  }

  async #work(): Promise<void> {
    while (this.#received.length > 0) {
      const frames = this.#nextFrames();
      const [first] = frames;
      if (!first) return;
      if (isMessageFact(first.frame.fact)) await this.#passOn(frames);
      else await this.#readOwn(first);
      this.#ties.onTaken();
    }
  }

  /** The next frame, with those behind it that may go to the log in the same call. */
  #nextFrames(): Received[] {
    const frames: Received[] = [];
    let items = 0;
    for (const received of this.#received) {
      const { fact } = received.frame;
      const count = isMessageFact(fact) ? fact.items.length : 0;
      const goesAlong = count > 0 && received.socket === frames[0]?.socket && items + count <= itemsPerCall;
      if (frames.length > 0 && !(goesAlong && items > 0)) break;
      // What was done to a message that waits for its file is told behind it.
      if (fact.type === 'changes' && frames.some(({ frame }) => bringsFiles(frame.fact))) break;
      frames.push(received);
      items += count;
      if (count === 0) break;
    }
    return this.#received.splice(0, frames.length);
  }

  /** Facts about messages: to the log, then into the own rows, then acknowledged. */
  async #passOn(frames: readonly Received[]): Promise<void> {
    const [{ socket }] = frames as [Received];
    const facts = frames.map(({ frame }) => frame.fact as MessageFact);
    const targets = targetsOf(facts);
    if (targets.size > 0) this.#commit(() => this.#parts.inboundMedia.tellFirst(targets));
    if (!(await this.#tellLog(facts))) {
      // The bridge says it all again over its next link.
      this.#drop(socket);
      socket.close(1011, 'the log did not answer');
      return;
    }
    const applyAll = () => {
      for (const fact of facts) applyMessageFact(this.#parts, fact, Date.now());
    };
    if (this.#commit(applyAll)) {
      this.#order.acknowledge(socket, frames.at(-1)?.frame.seq ?? 0);
      return;
    }
    for (const { frame } of frames) {
      const applied = this.#commit(() =>
        applyMessageFact(this.#parts, frame.fact as MessageFact, Date.now()),
      );
      if (applied) this.#order.acknowledge(socket, frame.seq);
      else this.#order.refuse(socket, 'not_stored', frame.seq);
    }
  }

  #drop(socket: WebSocket): void {
    this.#order.forget(socket);
    this.#received = this.#received.filter((received) => received.socket !== socket);
  }

  /** Whether the log has taken them, behind all that this object had to tell before. */
  async #tellLog(facts: readonly MessageFact[]): Promise<boolean> {
    const { outbox, device, tellLog } = this.#parts;
    const { accountId, numberId } = device.known;
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (!outbox.isEmpty) await outbox.flush();
        if (!outbox.isEmpty) throw new Error('the log did not take what was there before');
        let left = facts.flatMap((fact) => logFactsOf(this.#parts, fact));
        while (left.length > 0) {
          const { taken } = await tellLog(accountId, left);
          if (taken === 0) throw new Error(`the log took none of ${left.length} facts`);
          left = left.slice(taken);
        }
        if (outbox.isEmpty) return true;
        throw new Error('there is news that the log did not take');
      } catch (error) {
        logFault('log.not_told', error, { numberId, attempt });
        if (attempt === attemptsMax) return false;
        await scheduler.wait(Math.min(firstRetryMs * 2 ** attempt, retryMsMax));
      }
    }
  }

  /** A phone that has linked the device is claimed first: it may be linked to another number of the account. */
  async #readOwn(received: Received): Promise<void> {
    const { device, claimPhone } = this.#parts;
    const { fact } = received.frame;
    const { accountId, numberId, state } = device.known;
    const isPairing = fact.type === 'session.connected' && state === 'pairing';
    if (!isPairing || identityOf(received.socket).isReportOnly) {
      await this.#read(received);
      return;
    }
    let isFree: boolean;
    try {
      isFree = await claimPhone(accountId, numberId, fact.phoneNumber);
    } catch (error) {
      logFault('phone.not_claimed', error, { numberId });
      // The bridge says it again over its next link.
      this.#drop(received.socket);
      received.socket.close(1011, 'the account did not answer');
      return;
    }
    if (isFree) await this.#read(received);
    else await this.#refusePairing(received);
  }

  async #refusePairing({ socket, frame }: Received): Promise<void> {
    const { device } = this.#parts;
    if (device.known.state !== 'pairing') {
      await this.#read({ socket, frame });
      return;
    }
    if (!this.#commit(() => device.change(refusedPairing(device.known, Date.now()), Date.now()))) {
      this.#order.refuse(socket, 'not_stored', frame.seq);
      return;
    }
    log('pairing.already_paired', { numberId: device.known.numberId });
    this.#order.acknowledge(socket, frame.seq);
    await this.#ties.instruct();
  }

  /** A fact about the session or its keys: one transaction, then acknowledged. */
  async #read({ socket, frame }: Received): Promise<void> {
    const { seq, fact } = frame;
    if (isMessageFact(fact)) return;
    if (identityOf(socket).isReportOnly) {
      // It may be older than what the bridge that drives the number has told.
      if (fact.type === 'group.notice') this.#commit(() => this.#parts.groups.noteMissed());
      this.#order.refuse(socket, 'report_only', seq);
      return;
    }
    const before = this.#parts.device.known.desired;
    if (this.#commit(() => this.#apply(fact))) this.#order.acknowledge(socket, seq);
    else this.#order.refuse(socket, 'not_stored', seq);
    const { desired } = this.#parts.device.known;
    if (before !== 'none' && desired === 'none') this.#ties.onSessionOver();
    if (before === 'logout' && desired === 'pair') await this.#ties.instruct();
  }

  #apply(fact: Exclude<NumberFact, MessageFact>): void {
    const { vault, health, device, groups, inboundMedia, outbox } = this.#parts;
    const now = Date.now();
    if (fact.type === 'contacts.listed') {
      const { numberId } = device.known;
      outbox.add([{ kind: fact.type, numberId, at: Date.parse(fact.at), contacts: fact.contacts }]);
    } else if (isGroupFact(fact)) {
      groups.apply(fact, now);
    } else if (fact.type === 'media.fetched') {
      inboundMedia.settle(fact.mediaId, fact.file);
    } else if (fact.type === 'vault.put') {
      vault.put(fact.entries);
    } else if (fact.type === 'network.restriction') {
      const until = fact.until === null ? null : Date.parse(fact.until);
      health.noteRestriction({ isActive: fact.isActive, until }, now);
    } else {
      if (fact.type === 'session.connected' && device.known.desired === 'pair') {
        groups.notePaired(device.known.phoneNumber !== fact.phoneNumber);
      }
      const isForGood = fact.type === 'session.ended' && fact.reason !== 'banned';
      if (isForGood || (fact.type === 'session.ended' && isBeingLoggedOut(device.known))) vault.clear();
      device.change(afterFact(device.known, fact), now);
    }
  }

  #commit(change: () => void): boolean {
    try {
      this.#ties.storage.transactionSync(change);
      return true;
    } catch (error) {
      logFault('link.fact_failed', error, { numberId: this.#parts.device.known.numberId });
      reloadNumber(this.#parts);
      return false;
    }
  }

  /** A fact whose content is wrong is set aside; whatever else is no frame ends the link. */
  #refuseNoFrame(socket: WebSocket, { error, fact }: NoFrame): void {
    const { numberId } = this.#parts.device.known;
    log('link.frame_refused', { numberId, error, seq: fact?.seq });
    if (fact === null) socket.close(linkCloseCodes.protocolError, error);
    else if (this.#order.isNext(socket, fact)) this.#order.refuse(socket, 'invalid', fact.seq);
  }
}
