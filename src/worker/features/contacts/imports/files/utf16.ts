/** The byte order that the mark at the beginning of a file in UTF-16 tells; null: it has none. */
export function utf16Order(head: Uint8Array): 'LE' | 'BE' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'LE';
  return head[0] === 0xfe && head[1] === 0xff ? 'BE' : null;
}

/** A file in UTF-16 as UTF-8, chunk by chunk, without its mark. What is no character becomes U+FFFD. */
export async function* utf8Of(
  chunks: AsyncIterable<Uint8Array>,
  order: 'LE' | 'BE',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-16le');
  const encoder = new TextEncoder();
  let half: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(half.byteLength + chunk.byteLength);
    bytes.set(half);
    bytes.set(chunk, half.byteLength);
    const even = bytes.byteLength - (bytes.byteLength % 2);
    half = bytes.slice(even);
    const text = decoder.decode(order === 'LE' ? bytes.slice(0, even) : swapped(bytes.slice(0, even)), {
      stream: true,
    });
    if (text !== '') yield encoder.encode(text);
  }
  const rest = decoder.decode(half);
  if (rest !== '') yield encoder.encode(rest);
}

const swapped = (bytes: Uint8Array): Uint8Array => new Uint8Array(Buffer.from(bytes).swap16());
