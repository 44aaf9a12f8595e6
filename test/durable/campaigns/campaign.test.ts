import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventData } from '../../../src/contract/events.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { eventExamples } from '../../../src/worker/openapi/examples/event-examples.ts';
import { loggedEvents } from '../event-log/logged-events.ts';
import { until } from '../until.ts';
import { campaignFor, takenBy } from './campaign-stage.ts';

type Stage = Awaited<ReturnType<typeof campaignFor>>;

async function stageFor(...input: Parameters<typeof campaignFor>): Promise<Stage> {
  const stage = await campaignFor(...input);
  onTestFinished(() => {
    for (const network of stage.networks) network.close();
  });
  return stage;
}

/** What the log tells of its end. */
const finishedEvent = ({ accountId }: Stage) =>
  until(async () => (await loggedEvents(accountId)).find(({ event }) => event === 'campaign.finished'));

const ended = ({ view }: Stage) =>
  until(async () => {
    const now = await view();
    return now.status === 'finished' && now;
  });

describe('A campaign', () => {
  test('goes to each contact once, over its numbers, and tells the log when it begins and ends', async () => {
    const stage = await stageFor(60, 2);
    await stage.campaign().start();
    const { counts } = await ended(stage);
    expect(counts).toMatchObject({ recipients: 60, sent: 60, pending: 0, queued: 0, failed: 0 });
    expect(takenBy(stage.networks).toSorted()).toEqual(stage.phoneNumbers);
    const texts = stage.networks.flatMap(({ taken }) =>
      taken.map(({ content }) => (content.type === 'text' ? content.text : '')),
    );
    expect(texts).toContain('Hello Person 7');
    for (const network of stage.networks) expect(network.taken.length).toBeGreaterThan(0);
    const told = await until(async () => {
      const events = await loggedEvents(stage.accountId);
      const own = events.filter(({ event }) => event.startsWith('campaign.'));
      return own.length === 2 && own;
    });
    expect(told.map(({ event }) => event)).toEqual(['campaign.started', 'campaign.finished']);
    // Its recipients are written down behind that.
    expect(told[0]?.data).toMatchObject({ counts: eventExamples['campaign.started'].counts });
    expect(told[1]?.data).toMatchObject({ name: 'Spring', counts: { sent: 60 } });
    const [message] = (await logOf(env, stage.accountId).messages({ direction: 'outbound' }, 1, null))
      .messages;
    expect(message).toMatchObject({ origin: { kind: 'campaign', campaignId: stage.campaignId } });
  });

  test('that is paused sends nothing more, and goes on with the others', async () => {
    const stage = await stageFor(50, 1);
    await stage.campaign().start();
    await until(() => takenBy(stage.networks).length > 5);
    expect(await stage.campaign().pause()).toMatchObject({ ok: true, status: 'paused', reason: 'by_person' });
    const settled = await until(async () => {
      const { counts } = await stage.view();
      return counts.queued === 0 && counts;
    });
    const atPause = takenBy(stage.networks).length;
    expect(settled.sent).toBe(atPause);
    expect(settled.pending).toBe(50 - atPause);
    await runDurableObjectAlarm(stage.campaign());
    expect(takenBy(stage.networks)).toHaveLength(atPause);
    await stage.campaign().resume();
    await ended(stage);
    expect(takenBy(stage.networks).toSorted()).toEqual(stage.phoneNumbers);
  });

  test('stops by itself at a 463, and raises an alert that ends when it goes on', async () => {
    const stage = await stageFor(100, 1);
    const [network] = stage.networks;
    if (network) network.fate = (message) => (message.to.endsWith('03') ? { code: '463' } : 'sent');
    await stage.campaign().start();
    await until(async () => (await stage.view()).status === 'paused');
    expect((await stage.view()).reason).toBe('network_restricted');
    const log = logOf(env, stage.accountId);
    const alert = await until(async () =>
      (await log.alerts(10, null)).find(({ kind }) => kind === 'campaign.paused'),
    );
    expect(alert).toMatchObject({ endedAt: null, detail: { name: 'Spring', reason: 'network_restricted' } });
    await stage.campaign().cancel();
    await until(async () => (await log.alert(alert?.id ?? ''))?.endedAt);
    const { counts } = await stage.view();
    expect(counts.sent + counts.failed + counts.cancelled + counts.queued).toBe(100);
    expect(counts.failed).toBe(1);
  });

  test('that is cancelled tells so when nobody waits any more, and how many did not get it', async () => {
    // More than one sweep can do in one go.
    const stage = await stageFor(1_100, 1);
    await stage.campaign().start();
    await until(async () => (await stage.view()).counts.sent > 5);
    await stage.campaign().cancel();
    const { counts } = (await finishedEvent(stage)).data as EventData<'campaign.finished'>;
    expect(counts).toMatchObject({ recipients: 1_100, pending: 0 });
    expect(counts.cancelled).toBe(1_100 - counts.sent - counts.failed - counts.queued);
  });

  test('tells that it was cancelled, however soon it is deleted', async () => {
    const stage = await stageFor(20, 1);
    await stage.campaign().start();
    await until(async () => (await stage.view()).counts.sent > 0);
    await stage.campaign().cancel();
    expect(await stage.campaign().remove()).toEqual({ ok: true });
    expect(await finishedEvent(stage)).toMatchObject({ data: { reason: 'cancelled' } });
  });

  test('pauses itself when the segment that it is for is deleted, and raises an alert', async () => {
    const stage = await stageFor(3, 1);
    const log = logOf(env, stage.accountId);
    const segment = await log.createContactSegment('Writers', {});
    const definition = await stage.campaign().definition();
    if (!segment.ok || definition === null) throw new Error('no campaign for a segment');
    await stage.campaign().edit({ ...definition, audience: { segmentId: segment.segmentId } });
    await log.removeContactSegment(segment.segmentId);
    await stage.campaign().start();
    await until(async () => (await stage.view()).status === 'paused');
    expect(await stage.view()).toMatchObject({ reason: 'audience_gone', counts: { recipients: 0 } });
    const alert = await until(async () =>
      (await log.alerts(10, null)).find(({ kind }) => kind === 'campaign.paused'),
    );
    expect(alert).toMatchObject({ endedAt: null, detail: { reason: 'audience_gone' } });
  });

  test('over chosen numbers uses no other, whichever of them is gone', async () => {
    const stage = await stageFor(40, 3);
    const [first, second] = stage.senders.map(({ numberId }) => numberId);
    const definition = await stage.campaign().definition();
    if (definition === null || first === undefined || second === undefined) throw new Error('no campaign');
    await stage.campaign().edit({ ...definition, numberIds: [first, second] });
    await stage.campaign().start();
    await ended(stage);
    expect(takenBy(stage.networks).toSorted()).toEqual(stage.phoneNumbers);
    expect(stage.networks[2]?.taken).toEqual([]);
  });

  test('counts who answers and who opts out, once each', async () => {
    const stage = await stageFor(12, 1);
    await stage.campaign().start();
    await ended(stage);
    const [sender] = stage.senders;
    const write = (from: string, text: string, providerMessageId: string) =>
      sender?.bridge.tell({
        type: 'inbound',
        items: [
          {
            providerMessageId,
            from,
            chatType: 'personal',
            content: { type: 'text', text },
            pushName: 'P',
            at: new Date().toISOString(),
          },
        ],
      } as never);
    const [one = '', two = ''] = stage.phoneNumbers;
    await write(one, 'yes', 'A1');
    await write(one, 'and more', 'A2');
    await write(two, 'Stop!', 'A3');
    await until(async () => {
      const { counts } = await stage.view();
      return counts.replied === 2 && counts.optedOut === 1;
    });
    const { recipients } = await stage.campaign().recipients({ status: 'opted_out' }, 10, null);
    expect(recipients.map(({ id }) => String(id))).toEqual([two]);
  });

  test('forgets somebody who is erased, and still counts them', async () => {
    const stage = await stageFor(5, 1);
    await stage.campaign().start();
    await ended(stage);
    expect(await stage.campaign().forgetRecipient(stage.phoneNumbers[2] ?? '')).toBe(1);
    expect(await stage.campaign().forgetRecipient(stage.phoneNumbers[2] ?? '')).toBe(0);
    const { recipients } = await stage.campaign().recipients({ status: null }, 10, null);
    expect(recipients).toHaveLength(5);
    expect(JSON.stringify(recipients)).not.toContain(stage.phoneNumbers[2]);
    expect(recipients[0]).toMatchObject({ contactId: null, values: {}, state: 'sent' });
    expect((await stage.view()).counts.recipients).toBe(5);
  });
});
