import { expect, onTestFinished, test, vi } from 'vitest';
import { logFault, shortNumber } from '../../../src/durable/log.ts';

test('a fault is told by its innermost cause alone: those around it may quote what somebody wrote', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const cause = new Error('no such table: users', { cause: 'the database' });
  const quoting = new Error('Failed query, params: ada@example.com', { cause });
  logFault('request.failed', new Error('Ada could not sign in', { cause: quoting }), { attempt: 2 });
  expect(JSON.parse(String(logged.mock.lastCall))).toEqual({
    at: expect.any(String),
    level: 'error',
    event: 'request.failed',
    attempt: 2,
    error: 'Error: no such table: users',
  });
});

test('a phone number in a log has its first and its last three digits', () => {
  expect(shortNumber('628123456789')).toBe('628***789');
});
