import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { openDatabase } from '../../../src/worker/db/database.ts';
import {
  type AlertChannelRow,
  alertChannelsMax,
  insertAlertChannel,
} from '../../../src/worker/features/alerts/rows/alert-channels.ts';
import {
  type AlertMuteRow,
  alertMutesMax,
  insertAlertMute,
} from '../../../src/worker/features/alerts/rows/alert-mutes.ts';
import {
  type AssistantRow,
  assistantsMax,
  insertAssistant,
} from '../../../src/worker/features/assistants/rows.ts';

test('however many channels, mutes and assistants come in at once, and in whatever order, an account has its share of them, and what was refused is not said to be there', async () => {
  const accountId = newUuid();
  const audit = {
    db: openDatabase(env.DB),
    ...{ requestId: 'req_test', address: null, accountsToTell: new Set<string>() },
    caller: { kind: 'operator' as const, accountId },
  };
  const of = () => ({ accountId, createdAt: 0, numberIds: null, enabled: true });
  const channel = (id: string): AlertChannelRow => ({
    ...of(),
    ...{ id, kind: 'slack', name: null, shownTarget: '', sealedTarget: null, kinds: null, digest: null },
    ...{ confirmedAt: null, confirmationHash: null, confirmationExpiresAt: null },
  });
  const mute = (id: string): AlertMuteRow => ({
    ...{ id, accountId, kind: null, numberId: null, until: 1, createdBy: '', createdAt: 0 },
  });
  const assistant = (id: string): AssistantRow => ({
    ...of(),
    ...{ id, name: '', sealedSecrets: null, instructions: '', introduction: null, hours: 'always' },
    ...{ provider: {} as never, tools: {} as never, handOff: {} as never, updatedAt: 0 },
    ...{ dailyTokenBudget: 1, conversationTokenBudget: 1, debounceSeconds: 1 },
  });
  const taken = async (most: number, insert: (id: string) => Promise<boolean>) => {
    // The last one that was named comes in first.
    const ids = Array.from({ length: most + 2 }, () => newUuid()).reverse();
    return (await Promise.all(ids.map(insert))).filter(Boolean).length;
  };
  expect([
    await taken(alertChannelsMax, (id) => insertAlertChannel(channel(id), audit)),
    await taken(alertMutesMax, (id) => insertAlertMute(mute(id), audit)),
    await taken(assistantsMax, (id) => insertAssistant(assistant(id), audit)),
  ]).toEqual([alertChannelsMax, alertMutesMax, assistantsMax]);
  const { results } = await env.DB.prepare(
    'select action, count(*) as n from audit_outbox where account_id = ? group by action order by action',
  )
    .bind(accountId)
    .all();
  expect(results).toEqual([
    { action: 'alert_channel.created', n: alertChannelsMax },
    { action: 'alerts.muted', n: alertMutesMax },
    { action: 'assistant.created', n: assistantsMax },
  ]);
});
