import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { messageAt } from '../../durable/event-log/archive/archive-fixture.ts';
import { countOf, sent } from '../../durable/event-log/event-log-fixture.ts';
import { until } from '../../durable/until.ts';
import { ask, openAccount } from '../front-door.ts';

const dayMs = 24 * 3_600_000;

test('what an account no longer keeps at hand is still listed, searched and read by id', async () => {
  const account = await openAccount();
  const log = env.EVENT_LOG.getByName(account.accountId);
  const texts = ['the oldest', 'an old one', 'another old one', 'a young one', 'the youngest'];
  const messages = texts.map((text, index) =>
    messageAt(Date.now() - (60 - 15 * index) * dayMs, { content: { type: 'text', text } }),
  );
  await log.take(messages.map((message) => sent(message)));
  const changed = await ask('PATCH', '/v1/settings', {
    headers: account.owner,
    json: { retention: { messagesMonths: 1 } },
  });
  expect(changed).toMatchObject({ status: 200, body: { retention: { messagesMonths: 1, eventsDays: 30 } } });
  await until(async () => (await countOf(log, 'messages')) < texts.length);

  const get = async (path: string) => (await ask('GET', path, { headers: account.server })).body;
  const listed: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: { text: string }[]; nextCursor: string | null } = await get(
      `/v1/messages?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    listed.push(...page.data.map(({ text }) => text));
    cursor = page.nextCursor;
  }
  expect(listed).toEqual([...texts].reverse());
  expect((await get('/v1/messages?q=oldest')).data).toMatchObject([{ text: 'the oldest' }]);
  expect(await get(`/v1/messages/${messages[0]?.messageId}`)).toMatchObject({
    messageId: messages[0]?.messageId,
    status: 'sent',
    text: 'the oldest',
  });
});
