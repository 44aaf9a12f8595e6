import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../app-env.ts';

/** More than that is not read for the sake of an answer: then the connection breaks. */
const restBytesMax = 16 * 1024 * 1024;

/** Reads on and drops it. Whoever is still sending a body would else find the connection broken, and no answer on it. */
export async function dropRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let bytes = 0; bytes <= restBytesMax; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // Whoever has hung up needs no answer.
  }
}

/** What nothing has read of the request's body. */
export async function dropUnread({ body, bodyUsed }: Request): Promise<void> {
  if (body !== null && !bodyUsed && !body.locked) await dropRest(body.getReader());
}

/** A request that is refused before anything has read its body is read to its end all the same. */
export const readToItsEnd: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.status >= 400) await dropUnread(c.req.raw);
};
