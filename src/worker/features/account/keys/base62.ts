const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A whole number in base 62, filled up with leading zeros. */
export function toBase62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`;
  return text.padStart(characters, '0');
}

/** The number that base-62 digits stand for; the caller has checked that they are such digits. */
export function fromBase62(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 62n + BigInt(digits.indexOf(character));
  return value;
}
