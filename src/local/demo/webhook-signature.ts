import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a callback was signed with this secret: what a customer's receiver does with each request. */
export function isSignedBy(secret: string, rawBody: string, timestamp: string, signature: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(`${rawBody}.${timestamp}`).digest('hex'));
  const presented = Buffer.from(signature);
  return expected.length === presented.length && timingSafeEqual(expected, presented);
}
