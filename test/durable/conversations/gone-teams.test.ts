import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { newConversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { countOf, newLog, start } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';

test("what a team had that is gone is no team's, slice by slice, also where the log is cut off in between", async () => {
  const log = newLog();
  const [gone, stays] = [newUuid(), newUuid()];
  await runInDurableObject(log, (_, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    const chat = { numberId: newUuid(), lid: null, groupId: null, createdAt: start };
    const put = (place: number, teamId: string) => {
      const address = { conversationId: newUuid(), phoneNumber: String(628_000_000_000 + place) };
      rows.put({ ...newConversation({ ...chat, ...address }), teamId }, null);
    };
    storage.transactionSync(() => {
      for (let place = 0; place < 2_010; place += 1) put(place, place < 2_005 ? gone : stays);
    });
  });
  const left = () => countOf(log, `conversations WHERE team_id = '${gone}'`);
  await log.forgetTeam(gone);
  await abortAllDurableObjects();
  expect(await left()).toBeGreaterThan(0);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await left()) === 0;
  });
  expect(await countOf(log, `conversations WHERE team_id = '${stays}'`)).toBe(5);
  expect(await countOf(log, "log_state WHERE name = 'teams.gone'")).toBe(0);
});

test('a team that goes while another one is still being forgotten waits for its turn', async () => {
  const log = newLog();
  const teams = [newUuid(), newUuid()];
  await runInDurableObject(log, (_, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    const chat = { numberId: newUuid(), lid: null, groupId: null, createdAt: start };
    storage.transactionSync(() => {
      for (let place = 0; place < 1_210; place += 1) {
        const address = { conversationId: newUuid(), phoneNumber: String(628_000_000_000 + place) };
        const teamId = teams[place < 1_200 ? 0 : 1] ?? null;
        rows.put({ ...newConversation({ ...chat, ...address }), teamId }, null);
      }
    });
  });
  await runInDurableObject<EventLog, void>(log, (object) => {
    for (const teamId of teams) object.forgetTeam(teamId);
  });
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await countOf(log, "log_state WHERE name = 'teams.gone'")) === 0;
  });
  expect(await countOf(log, 'conversations WHERE team_id IS NOT NULL')).toBe(0);
});
