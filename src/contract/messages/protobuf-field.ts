/**
 * The content of a length-delimited field of an encoded message; the last one, where there are several, null where there
 * is none. For fields that the client's own definitions do not know yet. Null for what is no message too.
 */
export function bytesField(message: Uint8Array, wanted: number): Uint8Array | null {
  let found: Uint8Array | null = null;
  let position = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = message[position++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (position < message.length) {
    const tag = varint();
    switch (tag & 7) {
      case 0:
        varint();
        break;
      case 1:
        position += 8;
        break;
      case 2: {
        const length = varint();
        if (position + length > message.length) return null;
        if (Math.floor(tag / 8) === wanted) found = message.subarray(position, position + length);
        position += length;
        break;
      }
      case 5:
        position += 4;
        break;
      default:
        return null;
    }
  }
  return found;
}
