import { expect, test } from 'vitest';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';
import { addAgent } from '../openapi/openapi-arrangements.ts';

const account = await openAccount();
const numberId = await addConnectedNumber(account);
const stranger = await openAccount();
const { owner: headers } = account;

const office = {
  name: 'Office',
  timeZone: 'Asia/Jakarta',
  spans: [
    { day: 'monday', from: '09:00', to: '12:00' },
    { day: 'monday', from: '13:00', to: '17:00' },
    { day: 'friday', from: '22:00', to: '02:00' },
  ],
};

test('business hours with several spans a day, one over midnight, are kept as they were set', async () => {
  const created = await ask('POST', '/v1/business-hours', { headers, json: office });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    businessHoursId: expect.any(String),
    ...office,
    holidays: [],
    numberIds: 'all',
    createdAt: expect.any(String),
  });
  const path = `/v1/business-hours/${created.body.businessHoursId}`;
  const holidays = [{ date: '2026-12-25', name: 'Christmas' }];
  const changed = await ask('PATCH', path, { headers, json: { holidays, numberIds: [numberId] } });
  expect(changed.body).toEqual({ ...created.body, holidays, numberIds: [numberId] });
  expect((await ask('GET', path, { headers })).body).toEqual(changed.body);
  expect((await ask('GET', '/v1/business-hours', { headers })).body.data).toEqual([changed.body]);
  expect((await ask('DELETE', path, { headers })).status).toBe(204);
  expect((await ask('GET', path, { headers })).status).toBe(404);
});

test.each([
  ['no spans', { spans: [] }, 'spans'],
  [
    'a span within another',
    { spans: [...office.spans, { day: 'monday', from: '11:59', to: '12:30' }] },
    'spans.3',
  ],
  [
    'a span that a night before reaches into',
    { spans: [...office.spans, { day: 'saturday', from: '01:00', to: '03:00' }] },
    'spans.3',
  ],
  ['a span of no length', { spans: [{ day: 'monday', from: '09:00', to: '09:00' }] }, 'spans.0.to'],
  ['a day that is none', { spans: [{ day: 'someday', from: '09:00', to: '10:00' }] }, 'spans.0.day'],
  ['a time that is none', { spans: [{ day: 'monday', from: '9:00', to: '10:00' }] }, 'spans.0.from'],
  ['a zone that is none', { timeZone: 'Mars/Olympus' }, 'timeZone'],
  ['a date that is none', { holidays: [{ date: '2026-02-30' }] }, 'holidays.0.date'],
  ['a holiday twice', { holidays: [{ date: '2026-12-25' }, { date: '2026-12-25' }] }, 'holidays.1.date'],
  ['a blank name', { name: '  ' }, 'name'],
  ['a number of nobody', { numberIds: [crypto.randomUUID()] }, 'numberIds.0'],
  ['an unknown field', { timezone: 'UTC' }, 'timezone'],
])('business hours are refused for %s', async (_, wrong, path) => {
  const { status, body } = await ask('POST', '/v1/business-hours', {
    headers,
    json: { ...office, ...wrong },
  });
  expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  expect(body.error.details[0].path).toBe(path);
});

test('an SLA policy needs a target, also after a change', async () => {
  const json = { name: 'Standard', firstResponseSeconds: 3600, businessHoursOnly: true };
  const created = await ask('POST', '/v1/sla-policies', { headers, json });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    policyId: expect.any(String),
    ...json,
    nextResponseSeconds: null,
    resolutionSeconds: null,
    numberIds: 'all',
    labels: [],
    createdAt: expect.any(String),
  });
  const path = `/v1/sla-policies/${created.body.policyId}`;
  const none = await ask('PATCH', path, { headers, json: { firstResponseSeconds: null } });
  expect(none.status).toBe(400);
  expect(none.body.error.details[0].path).toBe('firstResponseSeconds');
  const other = { firstResponseSeconds: null, resolutionSeconds: 86_400, labels: ['vip'] };
  expect((await ask('PATCH', path, { headers, json: other })).body).toEqual({ ...created.body, ...other });
});

test.each([
  ['no target', { firstResponseSeconds: null }, 'firstResponseSeconds'],
  ['a target of no time', { firstResponseSeconds: 0 }, 'firstResponseSeconds'],
  ['a target of years', { resolutionSeconds: 91 * 86_400 }, 'resolutionSeconds'],
  ['half a second', { firstResponseSeconds: 0.5 }, 'firstResponseSeconds'],
  ['labels that are none', { labels: [''] }, 'labels.0'],
])('a policy is refused for %s', async (_, wrong, path) => {
  const json = { name: 'Standard', firstResponseSeconds: 60, ...wrong };
  const { status, body } = await ask('POST', '/v1/sla-policies', { headers, json });
  expect(status).toBe(400);
  expect(body.error.details[0].path).toBe(path);
});

test('agents read hours and policies and change none; to strangers they are not there', async () => {
  const hours = await ask('POST', '/v1/business-hours', { headers, json: office });
  const path = `/v1/business-hours/${hours.body.businessHoursId}`;
  const { email, password } = await addAgent(account);
  const { body: signedIn } = await ask('POST', '/v1/auth/login', { json: { email, password } });
  const agent = { Authorization: `Bearer ${signedIn.token}` };
  expect((await ask('GET', path, { headers: agent })).status).toBe(200);
  expect((await ask('PATCH', path, { headers: agent, json: { name: 'X' } })).status).toBe(403);
  expect((await ask('DELETE', path, { headers: agent })).status).toBe(403);
  expect((await ask('GET', path, { headers: stranger.owner })).status).toBe(404);
  expect((await ask('PATCH', path, { headers: stranger.owner, json: { name: 'X' } })).status).toBe(404);
});

test('two changes of different fields are both kept, and If-Match refuses the second of two that read the same', async () => {
  const hours = await ask('POST', '/v1/business-hours', { headers, json: office });
  const path = `/v1/business-hours/${hours.body.businessHoursId}`;
  await Promise.all([
    ask('PATCH', path, { headers, json: { name: 'Shop' } }),
    ask('PATCH', path, { headers, json: { timeZone: 'Europe/Berlin' } }),
  ]);
  const read = await ask('GET', path, { headers });
  expect(read.body).toMatchObject({ name: 'Shop', timeZone: 'Europe/Berlin' });
  const match = { ...headers, 'If-Match': read.headers.get('ETag') ?? '' };
  const changed = await ask('PATCH', path, { headers: match, json: { name: 'A' } });
  expect(changed.status).toBe(200);
  expect((await ask('PATCH', path, { headers: match, json: { name: 'B' } })).status).toBe(409);
  // Whoever made the change goes on with what was answered.
  const next = { ...headers, 'If-Match': changed.headers.get('ETag') ?? 'none' };
  expect((await ask('PATCH', path, { headers: next, json: { name: 'C' } })).status).toBe(200);
});

test('how people are answered is set within the settings, field by field, and is off before', async () => {
  const { body: before } = await ask('GET', '/v1/settings', { headers });
  expect(before.support).toEqual({ reports: false, autoResolveHours: null, survey: null });
  const survey = { question: 'How did we do, from 1 to 5?', everyDays: 30 };
  await ask('PATCH', '/v1/settings', { headers, json: { support: { autoResolveHours: 72 } } });
  const { body } = await ask('PATCH', '/v1/settings', { headers, json: { support: { survey } } });
  expect(body.support).toEqual({ reports: false, autoResolveHours: 72, survey });
  const wrong = { support: { survey: { question: ' ', everyDays: 30 } } };
  const refused = await ask('PATCH', '/v1/settings', { headers, json: wrong });
  expect(refused.body.error.details[0].path).toBe('support.survey.question');
});
