/** A time as the gateway takes it. */
export const time = (at: Date | string | undefined): string | undefined =>
  at instanceof Date ? at.toISOString() : at;
