import { expect, onTestFinished, test, vi } from 'vitest';
import { newLog, start } from '../event-log/event-log-fixture.ts';

test('a segment says when it was made, and when it was changed last', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const log = newLog();
  const made = await log.createContactSegment('VIPs', { labels: ['vip'] });
  const segmentId = made.ok ? made.segmentId : '';
  expect(made).toMatchObject({ createdAt: start, updatedAt: start });
  vi.setSystemTime(start + 60_000);
  await log.changeContactSegment(segmentId, { filter: { labels: ['vips'] } });
  const changed = { name: 'VIPs', filter: { labels: ['vips'] }, createdAt: start, updatedAt: start + 60_000 };
  expect(await log.contactSegment(segmentId)).toMatchObject(changed);
  await log.changeContactSegment(segmentId, { name: 'Regulars' });
  expect(await log.contactSegment(segmentId)).toMatchObject({ ...changed, name: 'Regulars' });
});
