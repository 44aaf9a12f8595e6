import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Refusal } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { addressBlock } from '../../http/request/address-block.ts';
import { clientAddress } from '../../http/request/client-address.ts';
import { AddressWaits, ForgedCredentials } from '../made-up-keys/forged-credentials.ts';

/**
 * What was wrong with a credential. `forged`: never issued here; it is refused without a look-up. `ended`: issued here and not
 * valid any more, which only an object or the database knows.
 */
export type FailureKind = 'forged' | 'ended';

// Of this isolate alone: what is forgotten is only asked once more.
export const forged = new ForgedCredentials();
const ended = new AddressWaits();
const good = new LRUCache<string, true>({ max: 20_000 });
/** Requests without a line in the log, until the next line tells how many those were. */
let leftOut = 0;

/** A request was refused that no route has seen. */
export function noteLeftOut(): void {
  leftOut += 1;
}

function leaveOutOfLog(c: Context<AppEnv>): void {
  noteLeftOut();
  c.set('isUnlogged', true);
}

function waiting(c: Context<AppEnv>, waits: AddressWaits): Refusal | null {
  const refusal = waits.refusal(clientAddress(c));
  if (refusal !== null) leaveOutOfLog(c);
  return refusal;
}

/**
 * 429 if too many ended credentials came from this address; null if this one may be checked. A credential that was valid here
 * a while ago is always checked, so others behind the same address cannot lock it out.
 */
export function checkRefusal(c: Context<AppEnv>, credentialHash: string): Refusal | null {
  return good.has(credentialHash) ? null : waiting(c, ended);
}

/** A credential has failed: what it is answered, or 429 when that came too often from its address. */
export async function failedCheck(c: Context<AppEnv>, kind: FailureKind, refusal: Refusal): Promise<Refusal> {
  const refused = waiting(c, kind === 'forged' ? forged.waits : ended);
  if (refused !== null) return refused;
  const address = clientAddress(c);
  if (kind === 'forged') {
    if (forged.takeLine()) tellLeftOut(c);
    else leaveOutOfLog(c);
    return forged.failed(address, refusal);
  }
  tellLeftOut(c);
  if (address === null) return refusal;
  const { success } = await c.env.FAILED_CHECKS.limit({ key: `ended:${addressBlock(address)}` });
  return success ? refusal : ended.begin(address);
}

function tellLeftOut(c: Context<AppEnv>): void {
  if (leftOut > 0) c.get('log').refusedBefore = leftOut;
  leftOut = 0;
}

/** A credential was good. */
export function noteGood(credentialHash: string): void {
  good.set(credentialHash, true);
}

/** A credential that may have been good is so no more. */
export function noteEnded(credentialHash: string): void {
  good.delete(credentialHash);
}
