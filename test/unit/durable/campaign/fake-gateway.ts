import type { AudienceMember } from '../../../../src/contract/contacts/audience.ts';
import { refuse } from '../../../../src/contract/errors.ts';
import { aliasIn, shownRecipient } from '../../../../src/contract/messages/recipient.ts';
import type { CampaignSend, CampaignSent } from '../../../../src/durable/account/campaign-sends.ts';
import type { CampaignPorts } from '../../../../src/durable/campaign/ports.ts';
import type { CampaignNumber } from '../../../../src/durable/campaign/sending/room.ts';
import type { StreamEvent } from '../../../../src/durable/event-log/feed/event-reader.ts';

interface Message extends CampaignSend {
  messageId: string;
  numberId: string;
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed';
}

/** Thrown where a test cuts a call off. */
class Cut extends Error {}

/** An account and its log, as far as a campaign asks them: in memory, with everything that they were asked. */
export class FakeGateway {
  readonly members: AudienceMember[];
  readonly messages: Message[] = [];
  readonly optedOut = new Set<string>();
  readonly missing = new Set<string>();
  /** Where messages to contacts go, by their ids. */
  readonly addresses: Record<string, string> = {};
  /** The digits that the network has for people, where others are dialled. */
  readonly network = new Map<string, string>();
  /** Numbers of the account itself. */
  readonly own = new Set<string>();
  /** Who has written to the account, though no contact says so. */
  readonly hasWritten = new Set<string>();
  /** What happens once while the campaign waits for the answer of a call, by the name of the call. */
  readonly meanwhile = new Map<keyof CampaignPorts, () => void>();
  /** How many sends each call wanted. */
  readonly asked: number[] = [];
  numbers: CampaignNumber[];
  quotaLeft: number | null = null;
  quotaResetAt = 0;
  /** Of the audience only so many can be read: then it is gone. */
  readableMembers = Number.POSITIVE_INFINITY;
  /** The next call is cut off before it has happened, or behind it. */
  cut: 'before' | 'behind' | null = null;
  /** Sends happen, and their answers are lost. */
  losesAnswers = false;
  /** Events up to there are gone. */
  #forgottenUpTo = 0;
  /** What was with its number has come back from there. */
  allMayBeTakenBack = false;
  /** How many messages each call wanted back. */
  readonly withdrawn: number[] = [];
  readonly #answers = new Map<string, CampaignSent>();
  readonly #events: StreamEvent[] = [];
  #clock = () => 0;

  constructor(count: number, numbers: number, clock: () => number) {
    this.members = Array.from({ length: count }, (_, index) => member(index));
    this.numbers = Array.from({ length: numbers }, (_, index) => ({
      numberId: `number-${index}`,
      inPool: true,
      hindrance: null,
      perMinute: 600,
      waiting: 0,
      leftToday: null,
    }));
    this.#clock = clock;
  }

  get ports(): CampaignPorts {
    const ports = this.#ports;
    for (const [name, call] of Object.entries(ports) as [
      keyof CampaignPorts,
      (...of: never[]) => unknown,
    ][]) {
      Object.assign(ports, {
        [name]: async (...of: never[]) => {
          const answer = await call(...of);
          const happens = this.meanwhile.get(name);
          this.meanwhile.delete(name);
          happens?.();
          return answer;
        },
      });
    }
    return ports;
  }

  get #ports(): CampaignPorts {
    return {
      audience: async (_, after, limit) =>
        this.#call(() => {
          const from = after === null ? 0 : Number(after);
          if (from >= this.readableMembers) return refuse('NOT_FOUND', 'There is no such segment.');
          const members = this.members.slice(from, from + limit);
          const end = from + members.length;
          return { ok: true, members, nextAfter: end < this.members.length ? String(end) : null };
        }),
      recipients: async (phoneNumbers) =>
        this.#call(() =>
          phoneNumbers.map((phoneNumber) => ({
            optedOutAt: this.optedOut.has(phoneNumber) ? 1 : null,
            lastInboundAt: this.hasWritten.has(phoneNumber) ? 1 : null,
          })),
        ),
      addresses: async (contactIds) =>
        this.#call(() =>
          Object.fromEntries(
            contactIds.flatMap((id) => (this.addresses[id] ? [[id, this.addresses[id]]] : [])),
          ),
        ),
      outlook: async () =>
        this.#call(() => ({
          numbers: this.numbers.map((number) => ({
            ...number,
            waiting: number.waiting + this.#queuedOn(number.numberId),
          })),
          quotaLeft: this.quotaLeft,
          quotaResetAt: this.quotaResetAt,
        })),
      sendAll: async (sends) => {
        this.asked.push(sends.length);
        const answers = this.#call(() => sends.map((send) => this.#send(send)));
        if (this.losesAnswers) throw new Cut('cut off behind it');
        return answers;
      },
      withdraw: async (messages) =>
        this.#call(() => {
          this.withdrawn.push(messages.length);
          for (const { messageId } of messages) {
            const message = this.messages.find((one) => one.messageId === messageId);
            // Every other one is with its number already.
            if (
              message?.status === 'queued' &&
              (this.allMayBeTakenBack || Number.parseInt(message.to, 10) % 2 === 0)
            ) {
              this.#fail(message, 'It was cancelled before it left.', 'cancelled');
            }
          }
        }),
      stopWords: async () => ['STOP'],
      events: async (after, limit) =>
        this.#call(() => {
          const from = after === 'now' ? this.#events.length : Number(after);
          if (from < this.#forgottenUpTo) return refuse('CURSOR_EXPIRED', 'gone');
          const data = this.#events.slice(from, from + limit);
          const end = from + data.length;
          return { ok: true, data, nextCursor: String(end), hasMore: end < this.#events.length };
        }),
      messages: async (messageIds) =>
        this.#call(() =>
          this.messages
            .filter(({ messageId }) => messageIds.includes(messageId))
            .map(({ messageId, numberId, status }) => ({
              messageId,
              numberId,
              status,
              sentAt: status === 'queued' || status === 'failed' ? null : 1,
              deliveredAt: status === 'delivered' || status === 'read' ? 2 : null,
              readAt: status === 'read' ? 3 : null,
              failedAt: status === 'failed' ? 1 : null,
              errorMessage: status === 'failed' ? 'It failed.' : null,
              errorCode: status === 'failed' ? 'network_500' : null,
            })),
        ),
    };
  }

  /** Messages that wait, move on by one step, each as `fate` says. */
  advance(fate: (message: Message) => 'go' | 'fail' | 'stay' | '463'): void {
    for (const message of this.messages) {
      const next = fate(message);
      if (next === 'stay' || message.status === 'failed' || message.status === 'read') continue;
      if (next !== 'go') {
        if (message.status !== 'queued' && message.status !== 'sent') continue;
        this.#fail(message, 'It failed.', next === '463' ? 'network_463' : 'network_500');
      } else if (message.status === 'queued') this.#tell(message, 'sent');
      else this.#tell(message, message.status === 'sent' ? 'delivered' : 'read');
    }
  }

  /** A message fails for a reason that its event names. */
  failFor(errorCode: string, message: Message | undefined): void {
    if (message === undefined) throw new Error('there is no such message');
    this.#fail(message, 'It failed.', errorCode);
  }

  write(from: string, text: string, numberId: string, more: object = {}): void {
    this.#event('message.received', {
      messageId: 'msg',
      numberId,
      providerMessageId: '',
      from: aliasIn(from) ?? from,
      ...(aliasIn(from) !== null && { senderLid: aliasIn(from) }),
      to: '1',
      messageType: 'text',
      text,
      isGroup: false,
      pushName: '',
      chatType: 'personal',
      ...more,
    });
  }

  /** Everything that was told so far is no longer to be had. */
  forget(): void {
    this.#forgottenUpTo = this.#events.length;
  }

  /** What is asked again by its key is a new send now. */
  forgetAnswers(): void {
    this.#answers.clear();
  }

  sentTo(address: string): Message[] {
    return this.messages.filter(({ to, status }) => to === address && status !== 'failed');
  }

  #tell(message: Message, status: 'sent' | 'delivered' | 'read'): void {
    message.status = status;
    const at = new Date(this.#clock()).toISOString();
    const { messageId, numberId, to } = message;
    const times = { sentAt: at, deliveredAt: at, readAt: at };
    const chat = aliasIn(to) === null ? `${this.network.get(to) ?? to}@s.whatsapp.net` : to;
    this.#event(`message.${status}`, { messageId, numberId, ...shownRecipient(message), chat, ...times });
  }

  #fail(message: Message, errorMessage: string, errorCode: string): void {
    message.status = 'failed';
    const { messageId, numberId } = message;
    this.#event('message.failed', {
      messageId,
      numberId,
      ...shownRecipient(message),
      errorMessage,
      errorCode,
    });
  }

  #event(event: string, data: object): void {
    const seq = this.#events.length + 1;
    const timestamp = new Date(this.#clock()).toISOString();
    this.#events.push({ cursor: String(seq), id: `evt_${seq}`, event, timestamp, data } as StreamEvent);
  }

  #send(send: CampaignSend): CampaignSent {
    const known = this.#answers.get(send.idempotencyKey);
    if (known) return known;
    const filter = this.optedOut.has(send.to) ? 'optOut' : this.own.has(send.to) ? 'ownNumber' : null;
    if (filter !== null) {
      const details = [{ path: 'to', filter, message: '' }];
      return refuse('RECIPIENT_FILTERED', 'filtered', { details });
    }
    const digits = this.network.get(send.to) ?? send.to;
    if (send.address !== undefined && send.address !== digits) {
      return { ...refuse('CONFLICT', 'other digits'), address: digits };
    }
    if (this.missing.has(send.to)) return refuse('RECIPIENT_NOT_ON_NETWORK', 'not there');
    if (this.quotaLeft === 0) return refuse('QUOTA_EXCEEDED', 'used up');
    const number = this.numbers[this.messages.length % Math.max(1, this.numbers.length)];
    if (number === undefined) return refuse('NO_HEALTHY_SENDER', 'none');
    if (this.quotaLeft !== null) this.quotaLeft -= 1;
    const messageId = `msg_${this.messages.length}`;
    this.messages.push({ ...send, messageId, numberId: number.numberId, status: 'queued' });
    const address = this.network.get(send.to);
    const answer = { ok: true as const, messageId, numberId: number.numberId, ...(address && { address }) };
    this.#answers.set(send.idempotencyKey, answer);
    return answer;
  }

  #queuedOn(numberId: string): number {
    return this.messages.filter((one) => one.numberId === numberId && one.status === 'queued').length;
  }

  #call<Answer>(work: () => Answer): Answer {
    const cut = this.cut;
    this.cut = null;
    if (cut === 'before') throw new Cut('cut off before it happened');
    const answer = work();
    if (cut === 'behind') throw new Cut('cut off behind it');
    return answer;
  }
}

/** Of every tenth only the alias is known. */
const member = (index: number): AudienceMember => ({
  contactId: `contact-${index}`,
  phoneNumber: index % 10 === 9 ? null : String(628_100_000_000 + index),
  lid: index % 10 === 9 ? String(700_000_000_000_000 + index) : null,
  name: index % 3 === 0 ? null : `Person ${index}`,
  pushName: null,
  attributes: {},
  timeZone: null,
  country: 'ID',
  lastInboundAt: index % 7 === 0 ? null : 1,
  wroteTo: index % 7 === 0 ? [] : ['number-0'],
});
