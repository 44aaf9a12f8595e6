import { exports } from 'cloudflare:workers';
import { expect } from 'vitest';

/** Somebody who is signed in. */
export interface Follower {
  userId: string;
  headers: Record<string, string>;
}

const closers: { headers: Follower['headers']; close: () => Promise<void> }[] = [];

/** Follows conversations, or another stream; `next`: waits for a block of it in which this is true. */
export async function follow(
  { headers }: Pick<Follower, 'headers'>,
  path = '/v1/conversations/live?after=now',
) {
  const response = await exports.default.fetch(new Request(`https://gateway.test${path}`, { headers }));
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  closers.push({ headers, close: () => reader.cancel() });
  const decoder = new TextDecoder();
  let text = '';
  // biome-ignore lint/suspicious/noExplicitAny: events and presence
  return async (isIt: (data: any, event: string) => boolean): Promise<any> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error('the stream has ended');
        text += decoder.decode(value, { stream: true });
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? 'message';
      if (data !== undefined && isIt(JSON.parse(data), event)) return JSON.parse(data);
    }
  };
}

/** All of them leave, or one. */
export async function stopFollowing(one?: Pick<Follower, 'headers'>): Promise<void> {
  const leaving = closers.filter(({ headers }) => one?.headers === undefined || one.headers === headers);
  for (const it of leaving) {
    closers.splice(closers.indexOf(it), 1);
    await it.close();
  }
}
