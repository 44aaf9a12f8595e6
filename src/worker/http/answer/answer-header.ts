import type { Context } from 'hono';

/** Sets a header of an answer that is made. Only one that came from an object or a file is copied for it. */
export function setAnswerHeader(c: Context, name: string, value: string): void {
  try {
    c.res.headers.set(name, value);
  } catch {
    c.header(name, value);
  }
}
