/**
 * A cell as people read it. Files are taken apart as bytes, each a character, so that a place in the text is a place in the
 * file; what is no UTF-8 is what spreadsheets on Windows write.
 */
export function cellText(bytes: string): string {
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  const raw = Buffer.from(bytes, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return new TextDecoder('windows-1252').decode(raw);
  }
}
