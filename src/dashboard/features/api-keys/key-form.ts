import { dayMs } from '../../../contract/times.ts';
import type { ApiKey, CreateApiKeyRequest, UpdateApiKeyRequest } from '../../../sdk/index.ts';
import { changedFields } from '../../parts/fields/changed-fields.ts';

type Scope = ApiKey['scopes'][number];

/** Every scope, and whether a key has it that names none. A new scope does not compile until it has its words. */
const presets: Record<Scope, boolean> = {
  'messages:send': true,
  'messages:read': true,
  media: true,
  'numbers:read': true,
  groups: true,
  contacts: true,
  'events:read': true,
  'usage:read': true,
  webhooks: false,
};
export const scopes = Object.keys(presets) as Scope[];

export const expiries = ['never', 'month', 'quarter', 'year', 'date'] as const;
type Expiry = (typeof expiries)[number];

/** In the place of a number. */
export const pool = 'pool';

export interface KeyFields {
  name: string;
  /** A number's id, or `pool`. */
  sender: string;
  onPinFailure: 'strict' | 'fallback';
  scopes: Scope[];
  allowedAddresses: string[];
}

export interface NewKeyFields extends KeyFields {
  expiry: Expiry;
  /** `2026-12-31`; it works to the end of that day where the viewer is. */
  expiryDate: string;
}

export const newKeyFields: NewKeyFields = {
  name: '',
  sender: pool,
  onPinFailure: 'strict',
  scopes: scopes.filter((scope) => presets[scope]),
  allowedAddresses: [],
  expiry: 'never',
  expiryDate: '',
};

export const fieldsOf = (key: ApiKey): KeyFields => ({
  name: key.name,
  sender: key.pinnedNumberId ?? pool,
  onPinFailure: key.onPinFailure,
  scopes: key.scopes,
  allowedAddresses: key.allowedAddresses ?? [],
});

/** Whether such a key has to do with one number alone. What is of the whole account, {@link tooWide}, is not for it. */
export const isOneNumbers = ({ sender, onPinFailure }: Pick<KeyFields, 'sender' | 'onPinFailure'>): boolean =>
  sender !== pool && onPinFailure === 'strict';

export const tooWide: readonly Scope[] = ['contacts', 'webhooks'];

export const scopesOf = (fields: KeyFields): Scope[] =>
  fields.scopes.filter((scope) => !isOneNumbers(fields) || !tooWide.includes(scope));

/** What is chosen once some of those that are shown were: what a key for one number hides stays chosen. */
export const chosenScopes = (fields: KeyFields, shown: readonly Scope[]): Scope[] =>
  isOneNumbers(fields) ? [...shown, ...fields.scopes.filter((scope) => tooWide.includes(scope))] : [...shown];

const days = { month: 30, quarter: 90, year: 365 };

function expiresAt({ expiry, expiryDate }: NewKeyFields): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return new Date(`${expiryDate}T23:59:59.999`).toISOString();
  return new Date(Date.now() + days[expiry] * dayMs).toISOString();
}

export const isFuture = (date: string): boolean => Date.parse(`${date}T23:59:59.999`) > Date.now();

const settingsOf = (fields: KeyFields) => ({
  name: fields.name.trim(),
  pinnedNumberId: fields.sender === pool ? null : fields.sender,
  onPinFailure: fields.onPinFailure,
  scopes: scopesOf(fields),
  allowedAddresses: fields.allowedAddresses.length === 0 ? null : fields.allowedAddresses,
});

/** Only what was changed. */
export const changesOf = (fields: KeyFields, first: KeyFields): UpdateApiKeyRequest =>
  changedFields(settingsOf(fields), settingsOf(first));

export const requestOf = (fields: NewKeyFields): CreateApiKeyRequest => ({
  ...settingsOf(fields),
  expiresAt: expiresAt(fields),
});
