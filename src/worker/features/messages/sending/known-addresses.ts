import { invalidField, type Refusal } from '../../../../contract/errors.ts';
import { askLog } from '../../../object-calls.ts';
import {
  addressAmong,
  knownRecipient,
  type PhoneNumberReading,
  parseRecipient,
  type Recipient,
} from './recipient.ts';
import type { Asked, Found } from './send-request.ts';

/**
 * Those of these digits under which the account knows somebody. The account's log is called only if there are digits in no
 * numbering plan.
 */
export async function knownAmong(
  env: Env,
  accountId: string,
  doubtful: readonly string[],
): Promise<ReadonlySet<string>> {
  if (doubtful.length === 0) return new Set();
  return new Set(await askLog(env, accountId, (log) => log.knownAddresses(doubtful)));
}

/** The digits that somebody is addressed by; null: they are nobody's. */
export async function addressOf(
  env: Env,
  accountId: string,
  reading: PhoneNumberReading,
): Promise<string | null> {
  const { perhaps } = reading;
  return addressAmong(await knownAmong(env, accountId, perhaps === null ? [] : [perhaps]), reading);
}

/** Reads `to` as {@link parseRecipient} does, and asks for digits that no numbering plan has whether the account knows them. */
export async function readRecipient(env: Env, accountId: string, input: string): Promise<Recipient> {
  const recipient = parseRecipient(input);
  const perhaps = recipient.ok ? (recipient.address?.perhaps ?? null) : null;
  return knownRecipient(recipient, await knownAmong(env, accountId, perhaps === null ? [] : [perhaps]));
}

/** The digits of all of them, each once, or `VALIDATION_ERROR` with the path of the first that is nobody's. */
export async function allAddressesOf(
  env: Env,
  accountId: string,
  readings: readonly PhoneNumberReading[],
  path: string,
): Promise<{ ok: true; phoneNumbers: string[] } | Refusal> {
  const doubtful = readings.flatMap(({ perhaps }) => perhaps ?? []);
  const known = await knownAmong(env, accountId, doubtful);
  const addresses = readings.map((reading) => addressAmong(known, reading));
  const unknown = addresses.indexOf(null);
  if (unknown !== -1) return invalidField(`${path}.${unknown}`, readings[unknown]?.problem ?? '');
  return { ok: true, phoneNumbers: [...new Set(addresses.flatMap((address) => address ?? []))] };
}

/** What the account's log says to what stands in bodies of sends: one question each at most, and none for most of them. */
export async function foundFor(env: Env, accountId: string, asked: readonly Asked[]): Promise<Found> {
  const contactIds = asked.flatMap((one) => one.contactIds);
  const [known, addresses] = await Promise.all([
    knownAmong(
      env,
      accountId,
      asked.flatMap(({ doubtful }) => doubtful),
    ),
    contactIds.length === 0 ? {} : askLog(env, accountId, (log) => log.contactAddresses(contactIds)),
  ]);
  return { known, contacts: new Map(Object.entries(addresses)) };
}
