import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

interface Env {
  FIRST: { getByName(name: string): { take(text: string, number: string): Promise<object> } };
  SECOND: { getByName(name: string): { take(text: string): void } };
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

const createTable = 'CREATE TABLE IF NOT EXISTS taken (id INTEGER PRIMARY KEY, text TEXT NOT NULL)';
const insert = 'INSERT INTO taken (text) VALUES (?)';

/** The way of a send and nothing else: one row stored here, and handed on to an object that stores one row too. */
export class First extends DurableObject<Env> {
  constructor(ctx: ConstructorParameters<typeof DurableObject>[0], env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(createTable);
  }

  async take(text: string, number: string): Promise<object> {
    this.ctx.storage.sql.exec(insert, text);
    await this.env.SECOND.getByName(number).take(text);
    return answer;
  }
}

export class Second extends DurableObject<Env> {
  constructor(ctx: ConstructorParameters<typeof DurableObject>[0], env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(createTable);
  }

  take(text: string): void {
    this.ctx.storage.sql.exec(insert, text);
  }
}

let turn = 0;
const seconds = 4;

/**
 * What a send is measured against. `/` reads nothing, stores nothing and answers the same; `/two-objects` takes the same
 * way through the platform, each request by itself.
 */
export default new Hono<{ Bindings: Env }>()
  .post('/', (c) => c.json(answer, 202))
  .post('/two-objects', async (c) => {
    turn += 1;
    const taken = c.env.FIRST.getByName('account').take(await c.req.text(), String(turn % seconds));
    return c.json(await taken, 202);
  });
