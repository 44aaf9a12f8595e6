import type { CreatedApiKey } from '../../sdk/index.ts';
import { Heliograph } from '../../sdk/index.ts';
import { gateway } from './client.ts';
import { session } from './session.ts';

/** The key ends by itself: a page that is closed cannot take it back. */
const livesMs = 10 * 60_000;
const spareMs = 30_000;
/** What it is called in the list of keys and in the audit log. */
export const testKeyName = 'Dashboard: test messages';

let current: { key: Promise<CreatedApiKey>; endsAt: number; accountId: string | undefined } | null = null;

/**
 * Sends are made with keys. For tests out of the dashboard it makes one that can do nothing else and ends after ten minutes,
 * and keeps it in memory alone.
 */
export async function testSender(): Promise<Heliograph> {
  const accountId = session.current.value?.account.id;
  if (current === null || current.endsAt < Date.now() + spareMs || current.accountId !== accountId) {
    const endsAt = Date.now() + livesMs;
    const key = gateway.apiKeys.create({
      name: testKeyName,
      scopes: ['messages:send'],
      expiresAt: new Date(endsAt).toISOString(),
    });
    current = { key, endsAt, accountId };
    key.catch(() => {
      current = null;
    });
  }
  const { key: apiKey } = await current.key;
  return new Heliograph({ baseUrl: window.location.origin, apiKey, retryForMs: 0 });
}
