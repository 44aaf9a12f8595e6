import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Refusal } from '../../src/contract/errors.ts';
import type { HeldReason } from '../../src/contract/numbers/sender-settings.ts';
import type { Fact, FactsTaken } from '../../src/durable/event-log/facts.ts';
import type { AcceptedMessage, BatchTaken, MessageBatch } from '../../src/durable/hand-over/message-batch.ts';

import type { ForecastRequest } from '../../src/durable/phone-number/queue/turn.ts';

type Verb = (name: string, ...parameters: never[]) => unknown;
type Verbs = Record<string, Verb>;

/** The objects that something stands in for, by name. They stay so: what a test leaves behind may still call them. */
const replaced = new Set<string>();
/** What stands in at present, by the class of objects. */
const presentVerbs = new Map<object, Verbs>();

export function standInFor(...names: string[]): void {
  for (const name of names) replaced.add(name);
}

/** Puts verbs in the place of those of a class of objects, in all lives of the objects that are stood in for. */
async function replaceVerbs(object: DurableObjectStub, verbs: Verbs): Promise<void> {
  const prototype = await runInDurableObject<never, Record<string, (...parameters: never[]) => unknown>>(
    object as DurableObjectStub<never>,
    (instance) => Object.getPrototypeOf(instance),
  );
  const isFirst = !presentVerbs.has(prototype);
  presentVerbs.set(prototype, verbs);
  if (!isFirst) return;
  for (const verb of Object.keys(verbs)) {
    const real = prototype[verb];
    prototype[verb] = function (this: { ctx: DurableObjectState }, ...parameters: never[]) {
      const name = this.ctx.id.name ?? '';
      if (replaced.has(name)) return presentVerbs.get(prototype)?.[verb]?.(name, ...parameters);
      return real?.apply(this, parameters);
    };
  }
}

export interface Given {
  numberId: string;
  message: AcceptedMessage;
}

const unanswered: BatchTaken = { takenUpTo: 0, room: 0, dailyRemaining: null };

/** Numbers that take every message and send none, and say what a test tells them to say. */
export class StandInNumbers {
  /** Every batch that was offered, repeats too. */
  readonly offered: { numberId: string; batch: MessageBatch }[] = [];
  /** The messages that were taken, by any number, in the order in which they were. */
  readonly given: Given[] = [];
  /** Numbers that cannot be reached, and those that take a batch while their answer gets lost. */
  readonly unreachable = new Set<string>();
  readonly losingAnswers = new Set<string>();
  /** What they were asked to give back. */
  readonly askedBack: { numberId: string; messageIds: string[] }[] = [];
  readonly asked: { numberId: string; phoneNumber: string }[] = [];
  room: (numberId: string) => number = () => 1_000;
  dailyRemaining: (numberId: string) => number | null = () => null;
  onNetwork: (phoneNumber: string) => boolean | null = () => null;
  /** The digits by which the network knows somebody, where those are others. */
  addressOf: (phoneNumber: string) => string | undefined = () => undefined;
  /** What they expect of a message that they do not have yet. */
  forecast: { expectedAt: number; heldReason: HeldReason | null } = { expectedAt: 0, heldReason: null };
  /** For which they were asked last. */
  forecastFor: ForecastRequest | null = null;
  /** Waits before a number takes a batch, and before it answers, whatever it is asked. */
  pause: () => Promise<void> = async () => {};
  readonly #takenUpTo = new Map<string, number>();

  static async begin(): Promise<StandInNumbers> {
    const numbers = new StandInNumbers();
    await replaceVerbs(env.PHONE_NUMBER.getByName('stand-in'), {
      take: (numberId: string, batch: MessageBatch) => numbers.#take(numberId, batch),
      checkRecipient: (numberId: string, phoneNumber: string) => numbers.#check(numberId, phoneNumber),
      forecast: async (_: string, message: ForecastRequest) => {
        numbers.forecastFor = message;
        return numbers.forecast;
      },
      outlook: async () => null,
      giveBack: async (numberId: string, messageIds: string[]) => {
        numbers.askedBack.push({ numberId, messageIds });
      },
    });
    return numbers;
  }

  takenUpTo(numberId: string): number {
    return this.#takenUpTo.get(numberId) ?? 0;
  }

  /** The number was restored to an earlier time, or a later one. */
  setTakenUpTo(numberId: string, batchNumber: number): void {
    this.#takenUpTo.set(numberId, batchNumber);
  }

  /** What these numbers were given. Those of other tests may still be given something, too. */
  givenTo(...numberIds: string[]): AcceptedMessage[] {
    return this.given.filter(({ numberId }) => numberIds.includes(numberId)).map(({ message }) => message);
  }

  /** Who was given a message, by its id, in order. */
  takersOf(messageId: string): string[] {
    return this.given
      .filter(({ message }) => message.messageId === messageId)
      .map(({ numberId }) => numberId);
  }

  async #take(numberId: string, batch: MessageBatch): Promise<BatchTaken> {
    this.offered.push({ numberId, batch });
    await this.pause();
    if (this.unreachable.has(numberId)) return unanswered;
    if (batch.batchNumber > this.takenUpTo(numberId)) {
      this.#takenUpTo.set(numberId, batch.batchNumber);
      this.given.push(...batch.messages.map((message) => ({ numberId, message })));
    }
    const answer = {
      takenUpTo: this.takenUpTo(numberId),
      room: this.room(numberId),
      dailyRemaining: this.dailyRemaining(numberId),
    };
    await this.pause();
    return this.losingAnswers.has(numberId) ? unanswered : answer;
  }

  async #check(
    numberId: string,
    phoneNumber: string,
  ): Promise<{ ok: true; onNetwork: boolean; address?: string } | Refusal> {
    this.asked.push({ numberId, phoneNumber });
    await this.pause();
    const onNetwork = this.onNetwork(phoneNumber);
    const address = this.addressOf(phoneNumber);
    if (onNetwork !== null) return { ok: true, onNetwork, ...(address !== undefined && { address }) };
    return { ok: false, code: 'SENDER_UNAVAILABLE', message: 'The number cannot ask.' };
  }
}

/** The logs of accounts without any: what they are told, in order. */
export class StandInLogs {
  readonly #facts: { accountId: string; fact: Fact }[] = [];
  isAway = false;

  static async begin(): Promise<StandInLogs> {
    const logs = new StandInLogs();
    await replaceVerbs(env.EVENT_LOG.getByName('stand-in'), {
      take: (accountId: string, facts: readonly Fact[]) => logs.#take(accountId, facts),
    });
    return logs;
  }

  of(accountId: string): Fact[] {
    return this.#facts.filter((it) => it.accountId === accountId).map(({ fact }) => fact);
  }

  async #take(accountId: string, facts: readonly Fact[]): Promise<FactsTaken> {
    if (this.isAway) return { taken: 0 };
    this.#facts.push(...facts.map((fact) => ({ accountId, fact })));
    return { taken: facts.length };
  }
}
