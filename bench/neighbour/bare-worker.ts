import { Hono } from 'hono';

/** What a send is measured against: a route that reads nothing, stores nothing and answers the same. */
export default new Hono().post('/', (c) =>
  c.json(
    {
      messageId: 'msg_01a1fdeb-30b9-7082-b737-6a5d381b1b7b',
      status: 'queued',
      numberId: '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9e',
      to: '628123456789',
      chatType: 'personal',
      messageType: 'text',
      queuedAt: '2026-01-31T09:30:00.123Z',
    },
    202,
  ),
);
