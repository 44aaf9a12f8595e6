import {
  bridgeProtocolVersion,
  type NumberDownFrame,
} from '../../../../src/contract/bridge/bridge-frames.ts';
import { textOf } from '../../../../src/contract/messages/content.ts';
import { defaultPacing, type Pacing } from '../../../../src/contract/numbers/sender-settings.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import type { NumberNote } from '../../../../src/durable/hand-over/number-news.ts';
import { newMessageId } from '../../../../src/durable/new-ids.ts';
import type { BridgeLink } from '../../../../src/durable/phone-number/bridge/bridge-link.ts';
import { type Device, newDevice } from '../../../../src/durable/phone-number/device/device.ts';
import { SenderHealth } from '../../../../src/durable/phone-number/health/sender-health.ts';
import { AccountNotes } from '../../../../src/durable/phone-number/news/account-notes.ts';
import { NumberState } from '../../../../src/durable/phone-number/number-state.ts';
import { RecipientPauses, SenderPace } from '../../../../src/durable/phone-number/pacing/sender-pace.ts';
import { Dispatch } from '../../../../src/durable/phone-number/queue/dispatch.ts';
import { Queue } from '../../../../src/durable/phone-number/queue/queue.ts';
import { Returns } from '../../../../src/durable/phone-number/queue/returns.ts';
import { newNumberStorage } from './number-sql.ts';

export const now = Date.UTC(2037, 4, 10, 12);
const dayMs = 86_400_000;

export const connected: Device = {
  ...newDevice('account', 'number'),
  ...{ state: 'connected', desired: 'run', connectedAt: now - 30 * dayMs },
};

type Outgoing = Extract<NumberDownFrame, { type: 'send' }>['messages'][number];

/** A message of an account, to somebody known. */
export const text = (words: string, more: Partial<AcceptedMessage> = {}): AcceptedMessage => ({
  ...{ messageId: newMessageId(), to: '628999888777', chatType: 'personal' },
  ...{ content: { type: 'text', text: words }, senderSource: 'pool', isNewChat: false, isAnswer: false },
  ...{ mayMove: true, queuedAt: now, expiresAt: now + dayMs },
  ...more,
});

/** Something that is done to a message. */
export const reaction = (more: Partial<AcceptedMessage> = {}): AcceptedMessage =>
  text('', {
    content: {
      ...{ type: 'reaction', targetId: newMessageId(), emoji: '👍' },
      target: { providerMessageId: '3EB0AA', isOwn: true },
    },
    ...more,
  });

/** The queue of a number with what decides when its messages leave, over a storage that outlasts each life. */
export class NumberLife {
  readonly storage = newNumberStorage();
  readonly state = new NumberState(this.storage.sql);
  readonly notes = new AccountNotes(this.storage.sql);
  /** All that the bridges were handed, in order. */
  readonly handed: Outgoing[] = [];
  device = connected;
  ready: { bridgeId: string; linkId: string; readyAt: number; version: number } | null = null;
  queue!: Queue;
  pace!: SenderPace;
  health!: SenderHealth;
  dispatch!: Dispatch;
  returns!: Returns;

  constructor(pacing: Partial<Pacing> = {}) {
    this.link('bridge', now - 1_000);
    this.begin();
    this.configure(pacing);
  }

  /** A life of the object: what is in memory is read anew. */
  begin(): void {
    const { storage, state, notes } = this;
    const { sql } = storage;
    const life = this;
    const link = {
      get ready() {
        return life.ready;
      },
      send: (frame: NumberDownFrame) => {
        if (frame.type === 'send') life.handed.push(...frame.messages);
      },
    } as unknown as BridgeLink;
    this.queue = new Queue(sql);
    this.pace = new SenderPace(state);
    this.health = new SenderHealth(sql, state);
    const { queue, pace, health } = this;
    this.dispatch = new Dispatch({ storage, queue, link, pace, health, pauses: new RecipientPauses(sql) });
    this.returns = new Returns({ storage, state, queue, dispatch: this.dispatch, health, notes });
  }

  configure(pacing: Partial<Pacing>): void {
    this.pace.configure({ ...defaultPacing, minDelayMs: 0, maxDelayMs: 0, ...pacing }, 1, now);
  }

  /** A bridge is ready to take work. */
  link(bridgeId: string, readyAt: number): void {
    const linkId = `${bridgeId} ${readyAt}`;
    this.ready = { bridgeId, linkId, readyAt, version: bridgeProtocolVersion };
  }

  /** Takes a batch, as the object does; the words of those that leave. */
  give(messages: AcceptedMessage[], at = now): string[] {
    const frame = this.storage.transactionSync(() => {
      this.queue.add(messages);
      const leaving = this.dispatch.handOver(this.device, at);
      this.queue.storeAdded();
      return leaving;
    });
    this.dispatch.send(frame);
    return (frame?.messages ?? []).map(wordsOf);
  }

  /** Looks whether anything may leave; the words of what does. */
  look(at = now): string[] {
    const before = this.handed.length;
    this.dispatch.hand(this.device, at);
    return this.handed.slice(before).map(wordsOf);
  }

  /** The network has taken these. */
  sent(...messages: AcceptedMessage[]): void {
    for (const { messageId } of messages) {
      const found = this.queue.find(messageId);
      if (!found) throw new Error('it is not in the queue');
      this.queue.remove(found);
      this.dispatch.resolved(found.providerMessageId);
    }
  }

  /** What went back to the account since the last look, by words and reason. */
  returned(at = now): string[] {
    this.health.observe(this.device, at);
    this.returns.run(this.device, at);
    const notes = this.notes.first(100);
    this.notes.forget(notes.at(-1)?.seq ?? 0);
    return notes.map(({ note }) => returnOf(note));
  }
}

const wordsOf = ({ content }: Pick<AcceptedMessage, 'content'>): string =>
  content.type === 'text' ? textOf(content) : content.type;

const returnOf = (note: NumberNote): string =>
  note.kind === 'returned' ? `${wordsOf(note.message)}: ${note.reason}` : note.kind;
