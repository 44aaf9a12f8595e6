import type { EventName } from '../../contract/events.ts';
import { requestJson } from '../json-client.ts';
import type { ReceivedEvent } from './demo-receiver.ts';

/** The simulated phone that the demo writes to, and the `curl` line as well. */
export const simulatedRecipient = '15550000002';

const steps: EventName[] = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];
/** Slow enough for the eye to follow. */
const receiptDelayMs = 400;
const walkWithinMs = 30_000;

/** The callbacks of the demo receiver, handed to whoever waits for them. */
export class EventInbox {
  readonly #events: ReceivedEvent[] = [];
  #wake: (() => void) | null = null;
  #show: (event: ReceivedEvent) => void = () => {};

  add(event: ReceivedEvent): void {
    this.#events.push(event);
    // Only the demo message of this start is waited for: the last few are enough.
    if (this.#events.length > 200) this.#events.shift();
    this.#wake?.();
    this.#show(event);
  }

  /** Hands on every event from now on. */
  showFurther(show: (event: ReceivedEvent) => void): void {
    this.#show = show;
  }

  /** Resolves the event of this name for this message, or null when the time is over. */
  async waitFor(
    name: string,
    messageId: string,
    deadline: number,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    for (;;) {
      const found = this.#events.find((event) => event.event === name && event.data.messageId === messageId);
      if (found !== undefined) return found;
      const leftMs = deadline - Date.now();
      if (leftMs <= 0 || signal.aborted) return null;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, 1000));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

export interface DemoWalk {
  baseUrl: string;
  apiKey: string;
  simulatorUrl: string;
  inbox: EventInbox;
  signal: AbortSignal;
  onStep(step: string, verified: boolean, afterMs: number): void;
}

/** Sends one message and reports each of its four steps as its signed webhook arrives. Throws when one is missing. */
export async function walkDemoMessage(walk: DemoWalk): Promise<void> {
  await requestJson(walk.simulatorUrl, 'PATCH', `/admin/phones/${simulatedRecipient}`, {
    body: { registered: true, autoDeliver: true, autoRead: true, delayMs: receiptDelayMs },
  });
  const startedAt = Date.now();
  const { messageId } = await requestJson<{ messageId: string }>(walk.baseUrl, 'POST', '/v1/messages/send', {
    headers: { 'x-api-key': walk.apiKey },
    body: { to: simulatedRecipient, text: 'Hello from Heliograph' },
  });
  for (const step of steps) {
    const event = await walk.inbox.waitFor(step, messageId, startedAt + walkWithinMs, walk.signal);
    if (walk.signal.aborted) return;
    if (event === null) throw new Error(`${step} did not arrive within ${walkWithinMs / 1000} s`);
    walk.onStep(step, event.verified, Date.now() - startedAt);
  }
}
