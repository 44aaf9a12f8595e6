import { describe, expect, test } from 'vitest';
import { ask } from '../front-door.ts';

const navigation = { Accept: 'text/html,*/*', 'Sec-Fetch-Mode': 'navigate' };

describe('the dashboard', () => {
  test.each(['/', '/numbers/0190', '/sign-in', '/verify', '/password/reset', '/invitation'])(
    'a browser that opens %s gets the page, which loads from this host alone',
    async (path) => {
      const page = await ask('GET', path, { headers: navigation });
      expect(page.status).toBe(200);
      expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
      expect(page.headers.get('Cache-Control')).toBe('no-cache');
      const policy = page.headers.get('Content-Security-Policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "form-action 'none'",
      ]) {
        expect(policy).toContain(rule);
      }
      expect(page.text).not.toMatch(/https?:\/\/|<style|onclick|<script>/);
    },
  );

  test('its files are there; those with a hash in their name are kept for good', async () => {
    const { text } = await ask('GET', '/', { headers: navigation });
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const { status, headers } = await ask('GET', file);
      expect(status, file).toBe(200);
      const cached = headers.get('Cache-Control') ?? '';
      if (file.startsWith('/dashboard/assets/')) expect(cached).toBe('public, max-age=31536000, immutable');
      else expect(cached).not.toContain('immutable');
    }
  });

  test.each([
    ['a program', '/numbers', { Accept: 'application/json' }],
    ['a script of a page', '/no-such-file.js', { Accept: '*/*', 'Sec-Fetch-Mode': 'no-cors' }],
    ['a browser at the API', '/v1/no-such-route', navigation],
    ['a browser at a file that is gone', '/dashboard/assets/index-gone.js', navigation],
  ])('%s that asks for what is not there gets the error, not the page', async (_who, path, headers) => {
    const answer = await ask('GET', path, { headers });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });
});
