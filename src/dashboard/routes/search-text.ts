/** A text in the address of a page; undefined where there is none. */
export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
