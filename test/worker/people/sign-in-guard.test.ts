import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const burst = 2;
const secondsEach = 60;
const rate = { burst, perSecond: 1 / secondsEach };
const newGuard = () => env.SIGN_IN_GUARD.getByName(`email:${crypto.randomUUID()}@example.com`);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

test('sign-ins that succeed save up no attempts for failures', async () => {
  const guard = newGuard();
  await guard.take(rate);
  for (let success = 0; success < 3; success += 1) await guard.giveBack(rate);
  const oks = [];
  for (let failure = 0; failure <= burst; failure += 1) oks.push((await guard.take(rate)).ok);
  expect(oks).toEqual([true, true, false]);
});

test('failed sign-ins are kept until as many attempts are allowed as to whoever never failed', async () => {
  const guard = newGuard();
  for (let failure = 0; failure < burst; failure += 1) await guard.take(rate);
  const forgottenAt = await runInDurableObject(guard, (_, { storage }) => storage.getAlarm());
  expect(forgottenAt).toBeGreaterThanOrEqual(Date.now() + burst * secondsEach * 1000);
});

test('a sign-in that takes until its attempt is forgotten anyway succeeds as any other', async () => {
  const guard = newGuard();
  await guard.take(rate);
  vi.setSystemTime(Date.now() + secondsEach * 1000 + 1000);
  await runDurableObjectAlarm(guard);
  await guard.giveBack(rate);
  expect(await guard.take(rate)).toMatchObject({ ok: true, limit: { remaining: burst - 1 } });
});

test('wrong codes are forgotten a week after the last of them, and at once where a right one follows', async () => {
  const guard = env.SIGN_IN_GUARD.getByName(`codes:${crypto.randomUUID()}`);
  const locks = async () => {
    let tries = 0;
    while ((await guard.takeCode()).ok) tries += 1;
    return tries;
  };
  await guard.takeCode();
  await guard.codeWasRight();
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(await locks()).toBe(5);
  const forgottenAt = await runInDurableObject(guard, (_, { storage }) => storage.getAlarm());
  expect(forgottenAt).toBe(Date.now() + 7 * 86_400_000);
  vi.setSystemTime(Date.now() + 7 * 86_400_000);
  await runDurableObjectAlarm(guard);
  expect(await locks()).toBe(5);
});
