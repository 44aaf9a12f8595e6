import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../../app-env.ts';

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

/** In one step up to here: a body in pieces takes several times as long. */
const atOnceBytesMax = 16 * 1024;

/** What nothing has read of the request's body. Left to the runtime, it can break the connection under the next request. */
export async function dropUnread(request: Request): Promise<void> {
  const { bodyUsed, headers } = request;
  if (bodyUsed) return;
  const length = headers.get('Content-Length');
  // Whoever has hung up needs no answer.
  if (length !== null && Number(length) <= atOnceBytesMax) await request.arrayBuffer().catch(() => null);
  else if (request.body !== null && !request.body.locked) await dropRest(request.body.getReader());
}

/** A request that is refused before anything has read its body is read to its end all the same. */
export const readToItsEnd: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.status >= 400) await dropUnread(c.req.raw);
};

/** Who asked has hung up within the body: nobody is there to be answered, and nothing of ours has failed. */
export class ClientGone extends Error {}
