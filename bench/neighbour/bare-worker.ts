import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

interface Env {
  ONE_ROW: { getByName(name: string): { take(text: string): object } };
}

const answer = {
  messageId: 'msg_01a1fdeb-30b9-7082-b737-6a5d381b1b7b',
  status: 'queued',
  numberId: '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9e',
  to: '628123456789',
  chatType: 'personal',
  messageType: 'text',
  queuedAt: '2026-01-31T09:30:00.123Z',
};

/** What the platform takes for a request that is stored, and nothing else: one row in one object. */
export class OneRow extends DurableObject<Env> {
  constructor(ctx: ConstructorParameters<typeof DurableObject>[0], env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS taken (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  }

  take(text: string): object {
    this.ctx.storage.sql.exec('INSERT INTO taken (text) VALUES (?)', text);
    return answer;
  }
}

/** What a send is measured against. `/` reads nothing and stores nothing; `/one-row` stores the body. Both answer the same. */
export default new Hono<{ Bindings: Env }>()
  .post('/', (c) => c.json(answer, 202))
  .post('/one-row', async (c) => {
    const taken = c.env.ONE_ROW.getByName('account').take(await c.req.text());
    return c.json(await taken, 202);
  });
