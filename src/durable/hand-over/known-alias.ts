/** Whose alias it is, as an account's log tells the account. */
export interface KnownAlias {
  lid: string;
  /** Null: nobody's whose phone number is known, any more. */
  phoneNumber: string | null;
}
