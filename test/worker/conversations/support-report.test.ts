import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { queued, received, record } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount } from '../front-door.ts';
import { addAgent, addMember } from '../openapi/openapi-arrangements.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Yesterday, so that all of it is over. */
const start = Math.floor(Date.now() / dayMs) * dayMs - dayMs + 9 * hourMs;
const today = Math.ceil(Date.now() / dayMs) * dayMs;

/** An account in which two people were answered, one of them late, and one waits. */
async function answeringAccount() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const { owner: headers } = account;
  const { userId } = await addMember(account, 'admin');
  await ask('PATCH', '/v1/settings', { headers, json: { support: { reports: true } } });
  const log = logOf(env, account.accountId);
  const wrote = (from: string, at: number) => received({ from, at: new Date(at).toISOString() }, numberId);
  const answered = (to: string, at: number) =>
    queued(record({ numberId, to, queuedAt: at, origin: { kind: 'person', userId } }));
  await log.take([
    wrote('628100000001', start),
    answered('628100000001', start + 60_000),
    wrote('628100000002', start + hourMs),
    answered('628100000002', start + 3 * hourMs),
    wrote('628100000003', start + 2 * hourMs),
  ]);
  return { account, headers, numberId, userId, log };
}

test('the report tells by day, number and agent how fast people were answered', async () => {
  const { headers, numberId, userId } = await answeringAccount();
  const until = new Date(today).toISOString();
  const report = async (query: string) =>
    (await ask('GET', `/v1/reports/support?until=${until}${query}`, { headers })).body;
  const days = await report('');
  expect(days.by).toBe('day');
  expect(days.total).toMatchObject({
    opened: 3,
    resolved: 0,
    firstResponse: { count: 2, medianSeconds: (60 + 7200) / 2, p90Seconds: 7200 },
    resolution: { count: 0, medianSeconds: null, p90Seconds: null },
    missed: { firstResponse: 0, nextResponse: 0, resolution: 0 },
    ratings: { count: 0, average: null },
  });
  expect(days.groups).toHaveLength(30);
  expect(days.groups.at(-2)).toMatchObject({ key: new Date(start).toISOString().slice(0, 10), opened: 3 });
  expect(days.groups.at(-1)).toMatchObject({ opened: 0 });
  expect((await report('&by=number')).groups).toMatchObject([{ key: numberId, name: 'Sales', opened: 3 }]);
  const agents = await report('&by=agent');
  expect(agents.groups).toMatchObject([
    { key: userId, name: 'Bob', opened: 2 },
    { key: null, name: null, opened: 1 },
  ]);
});

test('the report as CSV has a row for each group, and a name is no formula in it', async () => {
  const { headers, account, userId } = await answeringAccount();
  await env.DB.prepare(`update users set name = '=1+1, "x"' where id = ?`).bind(userId).run();
  const query = `since=${new Date(start).toISOString()}&by=agent`;
  const answer = await ask('GET', `/v1/reports/support?${query}`, {
    headers: { ...account.owner, Accept: 'text/csv' },
  });
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('Vary')).toContain('Accept');
  expect(answer.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="support-by-agent-.*\.csv"$/,
  );
  const lines = String(answer.text).trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^agent,name,opened,resolved,first_responses,/);
  expect(lines[1]).toBe(`${userId},"'=1+1, ""x""",2,0,2,3630,7200,,,0,0,0,0,`);
  expect(lines).toHaveLength(3);
  const { body } = await ask('GET', '/v1/reports/support', { headers });
  expect(body.groups.at(-1).key).toBe(body.until.slice(0, 10));
  const year = await ask('GET', '/v1/reports/support?since=2024-01-01T00:00:00Z&until=2025-01-01T00:00:00Z', {
    headers,
  });
  expect(year.body.groups).toHaveLength(366);
});

test('who resolves conversations, and what people have said of it, is told', async () => {
  const { headers, log, numberId, userId } = await answeringAccount();
  const conversation = await log.conversationOf({ numberId, phoneNumber: '628100000003' });
  await log.changeConversation(
    conversation?.conversationId ?? '',
    { status: 'resolved' },
    { kind: 'person', userId },
  );
  const { body } = await ask('GET', '/v1/reports/support?by=agent', { headers });
  expect(body.groups).toMatchObject([{ key: userId, opened: 3, resolved: 1, resolution: { count: 1 } }]);
});

test.each([
  ['since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
  ['since=2024-01-01T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
  ['by=moon', 'by'],
  ['until=tomorrow', 'until'],
  ['from=2026-01-01T00:00:00Z', 'from'],
])('a report is refused for ?%s', async (query, path) => {
  const { owner: headers } = await openAccount();
  const { status, body } = await ask('GET', `/v1/reports/support?${query}`, { headers });
  expect(status).toBe(400);
  expect(body.error.details[0].path).toBe(path);
});

test('agents see no report', async () => {
  const account = await openAccount();
  const { email, password } = await addAgent(account);
  const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
  const headers = { Authorization: `Bearer ${body.token}` };
  expect((await ask('GET', '/v1/reports/support', { headers })).status).toBe(403);
});

test('a change of the hours is in force at once for those who wait', async () => {
  const { headers, log, numberId } = await answeringAccount();
  const policy = { name: 'Slow', firstResponseSeconds: 86_400, businessHoursOnly: true };
  await ask('POST', '/v1/sla-policies', { headers, json: policy });
  const find = () => log.conversationOf({ numberId, phoneNumber: '628100000003' });
  const before = await eventually(async () => (await find())?.firstResponseDueAt ?? undefined);
  const spans = [{ day: 'monday', from: '09:00', to: '10:00' }];
  const rare = { name: 'Rare', timeZone: 'UTC', spans };
  const { body } = await ask('POST', '/v1/business-hours', { headers, json: rare });
  // An hour a week: 24 weeks at least.
  await eventually(async () => ((await find())?.firstResponseDueAt ?? 0) > before + 20 * 7 * dayMs);
  await ask('DELETE', `/v1/business-hours/${body.businessHoursId}`, { headers });
  await eventually(async () => (await find())?.firstResponseDueAt === before);
});
