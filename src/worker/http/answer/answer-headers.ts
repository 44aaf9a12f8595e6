import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** Sets a header of an answer that is made. Only one that came from an object or a file is copied for it. */
export function setAnswerHeader(c: Context, name: string, value: string): void {
  try {
    c.res.headers.set(name, value);
  } catch {
    c.header(name, value);
  }
}

/** HSTS, no sniffing, no framing, no referrer; hono's defaults for the rest. */
export const securityHeaders = secureHeaders({ xFrameOptions: 'DENY', referrerPolicy: 'no-referrer' });

/** What an answer of the API may load or be framed by: nothing. A page of ours has said by itself what it may. */
export const closedContentPolicy: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.res.headers.has('Content-Security-Policy')) return;
  setAnswerHeader(c, 'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
};

/** What an account holds is nobody's to keep on the way; a route that says otherwise is obeyed. */
export const notStored: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has('Cache-Control')) setAnswerHeader(c, 'Cache-Control', 'no-store');
};
