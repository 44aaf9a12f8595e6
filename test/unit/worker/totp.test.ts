import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import {
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  stepOfCode,
} from '../../../src/worker/auth/totp.ts';

const now = Date.UTC(2026, 10, 26, 12, 0, 15);
const stepMs = 30_000;
const { secret, otpauthUrl } = newTotpSecret('ada@example.com');
/** What an app shows at that time. */
const codeAt = (at: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

test('the code of an app is good within a step of its time, and known by the step that it is for', () => {
  const step = Math.floor(now / stepMs);
  expect([-1, 0, 1].map((off) => stepOfCode(secret, codeAt(now + off * stepMs), now))).toEqual([
    step - 1,
    step,
    step + 1,
  ]);
  expect([-2, 2, 100].map((off) => stepOfCode(secret, codeAt(now + off * stepMs), now))).toEqual([
    null,
    null,
    null,
  ]);
});

test('the code of another secret is none', () => {
  expect(stepOfCode(newTotpSecret('ada@example.com').secret, codeAt(now), now)).toBeNull();
});

test('apps read the secret, whose it is and where from', () => {
  const url = new URL(otpauthUrl);
  expect(decodeURIComponent(url.pathname)).toContain('Heliograph:ada@example.com');
  expect(url.searchParams.get('secret')).toBe(secret);
  expect(Secret.fromBase32(secret).bytes).toHaveLength(20);
});

test('ten recovery codes are different, easily read, and taken in whatever way they are typed', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([2-9a-hjkmnp-y]{4}-){3}[2-9a-hjkmnp-y]{4}$/);
    expect(hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(hashRecoveryCode(code));
  }
  expect(hashRecoveryCode(codes[0] ?? '')).not.toBe(hashRecoveryCode(codes[1] ?? ''));
});
