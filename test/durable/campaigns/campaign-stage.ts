import { env } from 'cloudflare:workers';
import type { NumberDownFrame } from '../../../src/contract/bridge/bridge-frames.ts';
import type { CampaignDefinition } from '../../../src/durable/campaign/definition.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { newAccount } from '../account/account-fixture.ts';
import type { FakeBridge } from '../phone-number/fake-bridge.ts';

export type Sent = Extract<NumberDownFrame, { type: 'send' }>['messages'][number];

const textOf = (text: string) => ({
  body: JSON.stringify({ text }),
  content: { type: 'text' as const, text },
});

export const definitionWith = (more: Partial<CampaignDefinition> = {}): CampaignDefinition => ({
  name: 'Spring',
  texts: [textOf('Hello {{name|there}}')],
  winner: null,
  audience: { all: true },
  coldContacts: true,
  numberIds: null,
  startAt: null,
  window: null,
  timeZone: 'UTC',
  ratePerHour: null,
  stopAfterFailures: 20,
  whenQuotaEnds: 'wait',
  replyDays: 7,
  ...more,
});

const now = () => new Date().toISOString();

/** The end of a number's link that takes every message, and says what becomes of it. */
export class Network {
  readonly taken: Sent[] = [];
  readonly #bridge: FakeBridge;
  /** What becomes of a message; null: nobody says. */
  fate: (message: Sent) => 'sent' | { code: string } | null = () => 'sent';
  #isOpen = true;

  constructor(bridge: FakeBridge) {
    this.#bridge = bridge;
    void this.#run();
  }

  close(): void {
    this.#isOpen = false;
  }

  async #run(): Promise<void> {
    while (this.#isOpen) {
      const index = this.#bridge.heard.findIndex((frame) => frame.type === 'send');
      if (index === -1) {
        await scheduler.wait(5);
        continue;
      }
      const [frame] = this.#bridge.heard.splice(index, 1);
      if (frame?.type === 'send') for (const message of frame.messages) await this.#take(message);
    }
  }

  async #take(message: Sent): Promise<void> {
    this.taken.push(message);
    const fate = this.fate(message);
    if (fate === null) return;
    const { messageId, handOver } = message;
    const outcome =
      fate === 'sent'
        ? { outcome: 'sent' as const }
        : { outcome: 'failed' as const, code: fate.code, errorMessage: 'The network refused it.' };
    await this.#bridge.tell({
      type: 'send.outcomes',
      items: [{ messageId, handOver, at: now(), ...outcome }],
    } as never);
  }
}

/** An account with connected numbers, so many contacts, and a draft for all of them. */
export async function campaignFor(contacts: number, numbers = 1, more: Partial<CampaignDefinition> = {}) {
  const account = await newAccount(numbers);
  const { accountId, senders } = account;
  const phoneNumbers = Array.from({ length: contacts }, (_, index) => String(628_700_000_000 + index));
  const [first] = senders;
  for (let from = 0; from < contacts; from += 100) {
    const listed = phoneNumbers
      .slice(from, from + 100)
      .map((phoneNumber, index) => ({ phoneNumber, name: `Person ${from + index}` }));
    await logOf(env, accountId).take([
      { kind: 'contacts.listed', numberId: first?.numberId ?? '', at: Date.now(), contacts: listed },
    ]);
  }
  const campaignId = newUuid();
  const campaign = () => env.CAMPAIGN.getByName(campaignId);
  await campaign().create(accountId, campaignId, definitionWith(more));
  const networks = senders.map(({ bridge }) => new Network(bridge));
  const view = async () => {
    const found = await campaign().view();
    if (found === null) throw new Error('there is no such campaign');
    return found;
  };
  return { ...account, campaignId, campaign, view, networks, phoneNumbers };
}

/** To whom messages have gone, over all numbers, each as often as it went. */
export const takenBy = (networks: readonly Network[]) =>
  networks.flatMap(({ taken }) => taken.map(({ to }) => to));
