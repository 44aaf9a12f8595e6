import { randomBytes } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { startLoopbackServer } from './loopback-server.ts';

/** The oldest go first. */
const keptMax = 200;

const mailSchema = z.object({ to: z.string(), subject: z.string(), text: z.string() });

export interface MailCatcher {
  /** `GET` lists what was caught, oldest first; `POST` adds one. Links in mails are secrets, so the path is one too. */
  url: string;
  close(): Promise<void>;
}

/** Keeps the mails of a gateway without a mail server, in memory, on a free port of this machine. */
export async function startMailCatcher(): Promise<MailCatcher> {
  const path = `/${randomBytes(12).toString('base64url')}`;
  const mails: z.infer<typeof mailSchema>[] = [];
  const { origin, close } = await startLoopbackServer(async (request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      return void response.end(JSON.stringify(mails));
    }
    const mail = mailSchema.safeParse(await json(request).catch(() => null));
    if (request.method !== 'POST' || !mail.success) return void response.writeHead(400).end();
    mails.push(mail.data);
    if (mails.length > keptMax) mails.shift();
    response.writeHead(204).end();
  });
  return { url: `${origin}${path}`, close };
}
