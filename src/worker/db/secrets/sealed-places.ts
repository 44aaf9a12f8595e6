import { ownerOfTotp } from '../../auth/totp.ts';
import { ownerOfHeaders } from '../../features/webhooks/delivery/own-headers.ts';

/** A column of D1 that holds what is sealed under `WEBHOOK_SEALING_KEY`. Every one of them stands here. */
export interface SealedPlace {
  table: string;
  /** The column by which a row is found. */
  id: string;
  /** Whose objects have a copy of it; null: none has. */
  account: string | null;
  column: string;
  /** Where it stands within a column of JSON. */
  jsonPath?: string;
  /** For whom it is sealed, as `sealSecret` was told. */
  ownerOf: (id: string) => string;
}

const itself = (id: string) => id;
const ofAccount = { id: 'id', account: 'account_id', ownerOf: itself };

export const sealedPlaces: readonly SealedPlace[] = [
  { ...ofAccount, table: 'webhooks', column: 'sealed_secret' },
  { ...ofAccount, table: 'webhooks', column: 'previous_sealed_secret' },
  { ...ofAccount, table: 'webhooks', column: 'sealed_headers', ownerOf: ownerOfHeaders },
  { ...ofAccount, table: 'automations', column: 'sealed_secret' },
  { ...ofAccount, table: 'automations', column: 'previous_sealed_secret' },
  { ...ofAccount, table: 'assistants', column: 'sealed_secrets' },
  { ...ofAccount, table: 'alert_channels', column: 'sealed_target' },
  { ...ofAccount, table: 'numbers', column: 'session', jsonPath: '$.sealedProxyUrl' },
  { table: 'two_factors', id: 'user_id', account: null, column: 'sealed_secret', ownerOf: ownerOfTotp },
];

/** The sealed text of a place, in SQL. */
export const sealedIn = ({ column, jsonPath }: SealedPlace): string =>
  jsonPath === undefined ? column : `json_extract(${column}, '${jsonPath}')`;

/** What sets it, to the one value that is bound. */
export const setsSealed = ({ column, jsonPath }: SealedPlace): string =>
  jsonPath === undefined ? `${column} = ?` : `${column} = json_set(${column}, '${jsonPath}', ?)`;
