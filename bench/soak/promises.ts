import type { LocalRun } from '../bridge-side/local-run.ts';
import type { SoakReceiver } from './receivers.ts';
import type { Traffic } from './traffic.ts';

interface Arrival {
  text: string | null;
  count: number;
}

/** Every accepted message ends with these, each told once. */
const eventsOfMessage = ['message.queued', 'message.sent', 'message.delivered'];

/** What of the promises does not hold (yet), in sentences; nothing where all hold. */
export async function brokenPromises(
  run: LocalRun,
  traffic: Traffic,
  receiver: SoakReceiver,
  recipients: readonly string[],
): Promise<string[]> {
  const arrivals = new Map<string, number>();
  for (const recipient of recipients) {
    const { data } = await run.simulator<{ data: Arrival[] }>('GET', `/admin/messages?to=${recipient}`);
    for (const { text, count } of data) {
      if (text !== null) arrivals.set(text, (arrivals.get(text) ?? 0) + count);
    }
  }
  const { disabledReason } = await run.admin<{ disabledReason: string | null }>(
    'GET',
    `/v1/webhooks/${receiver.webhookId}`,
  );
  const texts = [...traffic.accepted.keys()];
  const ids = [...traffic.accepted.values()];
  const broken = [
    disabledReason && `The webhook of the healthy receiver is off: ${disabledReason}.`,
    count('accepted texts never arrived', texts, (text) => !arrivals.has(text)),
    count('accepted texts arrived more than once', texts, (text) => (arrivals.get(text) ?? 0) > 1),
    count('received texts were not told', [...traffic.taken], (text) => !receiver.inbound.has(text)),
    count(
      'received texts were told as several events',
      [...traffic.taken],
      (text) => (receiver.inbound.get(text)?.size ?? 0) > 1,
    ),
  ];
  for (const event of eventsOfMessage) {
    const eventIds = (id: string) => receiver.idsOf.get(`${event} ${id}`)?.size ?? 0;
    broken.push(
      count(`${event} did not reach the healthy receiver`, ids, (id) => eventIds(id) === 0),
      count(`${event} has several event ids`, ids, (id) => eventIds(id) > 1),
    );
  }
  return broken.filter((sentence) => sentence !== null);
}

function count(what: string, all: readonly string[], isBroken: (one: string) => boolean): string | null {
  const broken = all.filter(isBroken);
  return broken.length === 0 ? null : `${broken.length} of ${all.length}: ${what} (such as ${broken[0]})`;
}
