/** A field of an encoded message; `bytes` is null for what is a number. */
interface Field {
  number: number;
  bytes: Uint8Array | null;
}

/**
 * The fields of an encoded message, as they stand in it, for whoever does not have its definition. Null for what is no
 * message.
 */
export function protobufFields(message: Uint8Array): Field[] | null {
  const fields: Field[] = [];
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
    const number = Math.floor(tag / 8);
    let bytes: Uint8Array | null = null;
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
        bytes = message.subarray(position, position + length);
        position += length;
        break;
      }
      case 5:
        position += 4;
        break;
      default:
        return null;
    }
    fields.push({ number, bytes });
  }
  return fields;
}

/**
 * The content of a length-delimited field of an encoded message; the last one, where there are several, null where there
 * is none. Null for what is no message too.
 */
export function bytesField(message: Uint8Array, wanted: number): Uint8Array | null {
  const found = protobufFields(message)?.findLast(({ number, bytes }) => number === wanted && bytes !== null);
  return found?.bytes ?? null;
}
