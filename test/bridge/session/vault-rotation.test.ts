import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type RunningBridge, startBridge } from '../../../src/session-bridge/bridge.ts';
import { NumberSeal } from '../../../src/session-bridge/vault/seal.ts';
import { VaultKeys } from '../../../src/session-bridge/vault/vault-keys.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { newPhone, Stage } from '../stage.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];

const stage = Stage.open();

/** A bridge that has nothing but its keys. */
async function bridgeWith(vaultKey: Buffer, vaultKeyPrevious: Buffer | null = null): Promise<RunningBridge> {
  const config = { ...stage.configFor(await stage.newHome()), vaultKey, vaultKeyPrevious };
  const bridge = startBridge(config, { logDestination: { write: (line) => stage.logLines.push(line) } });
  stage.atEnd(() => bridge.close());
  await stage.edge.until('the bridge connects', () => stage.edge.isConnected(bridge.bridgeId));
  return bridge;
}

/** The bridge takes the number over, and writes to a phone under the sessions of the vault. */
async function drives(bridge: RunningBridge, number: FakeNumber, to: string): Promise<void> {
  const connects = number.factsOf('session.connected').length;
  stage.edge.grant(number, bridge.bridgeId);
  await stage.edge.until('it connects', () => number.factsOf('session.connected').length > connects);
  const [message] = number.send({ to, text: 'hello' });
  if (!message) throw new Error('nothing was sent');
  await stage.edge.until('it is delivered', () => number.receiptsOf(message).length > 0);
}

function underWhich(number: FakeNumber, key: Buffer): { anew: number; otherwise: number } {
  const beginning = Buffer.from(new NumberSeal(new VaultKeys(key), number.numberId).beginning, 'base64');
  const entries = [...number.vault.values()].map((sealed) => Buffer.from(sealed, 'base64'));
  const anew = entries.filter((entry) => entry.subarray(0, beginning.length).equals(beginning)).length;
  return { anew, otherwise: entries.length - anew };
}

/** Half of the vault is as it was before keys had ids. */
function ageHalf(number: FakeNumber, key: Buffer): void {
  const seal = new NumberSeal(new VaultKeys(key), number.numberId);
  for (const [index, [entryKey, sealed]] of [...number.vault].entries()) {
    if (index % 2 === 0) continue;
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from(`${number.numberId}/${entryKey}`));
    const text = Buffer.concat([cipher.update(seal.open(entryKey, sealed), 'utf8'), cipher.final()]);
    number.vault.set(entryKey, Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64'));
  }
}

test('the key of the vaults is replaced without a new pairing, and the one before can be dropped when all is sealed anew', async () => {
  const before = await bridgeWith(first);
  const { number } = await stage.pairedNumber(before.bridgeId);
  const friend = newPhone();
  await drives(before, number, friend);
  await before.drain();
  expect(underWhich(number, first).otherwise).toBe(0);
  ageHalf(number, first);

  const between = await bridgeWith(second, first);
  await drives(between, number, friend);
  await stage.edge.until('nothing is under the first key', () => underWhich(number, second).otherwise === 0);
  expect(underWhich(number, second).anew).toBeGreaterThan(100);
  await expect.poll(() => stage.logLines.some((line) => line.includes('vault.sealed_anew'))).toBe(true);
  await between.drain();

  const after = await bridgeWith(second);
  await drives(after, number, friend);
  await after.drain();

  const late = await bridgeWith(first);
  stage.edge.grant(number, late.bridgeId);
  await stage.edge.until('it says that it cannot', () =>
    number.factsOf('session.disconnected').some(({ reason }) => reason === 'credentials_rejected'),
  );
  const unreadable = stage.logLines.find((line) => line.includes('vault.unreadable'));
  expect(unreadable).toContain('not sealed under VAULT_KEY, and VAULT_KEY_PREVIOUS is not set');
  expect(underWhich(number, second).otherwise).toBe(0);
  const shown = [first, second].flatMap((key) => [key.toString('base64'), key.toString('hex')]);
  expect(stage.logLines.filter((line) => shown.some((secret) => line.includes(secret)))).toEqual([]);
});
