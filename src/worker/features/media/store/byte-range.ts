/** Of a file of `bytes` bytes, what a `Range` header asks for: null for all of it, `beyond` when nothing of it is there. */
export function byteRange(
  header: string | undefined,
  bytes: number,
): { offset: number; length: number } | null | 'beyond' {
  // Several ranges at once, or another unit: a server may answer with the whole (RFC 9110).
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (asked === null) return null;
  const [, first = '', last = ''] = asked;
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'beyond' : { offset: bytes - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < offset) return null;
  return offset >= bytes ? 'beyond' : { offset, length: end - offset + 1 };
}
