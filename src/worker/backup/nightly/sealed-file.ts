import { backupsPrefix, type SealedFile } from './nightly-state.ts';

const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');

/** Seals text, compressed, for the key of which `recipient` is the public half, as a file of the backup `name`. */
export async function putSealed(
  env: Env,
  recipient: string,
  name: string,
  file: string,
  text: string,
): Promise<SealedFile> {
  // Loaded when the first backup is made.
  const { Encrypter } = await import('age-encryption');
  const zipped = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const sealed = await encrypter.encrypt(new Uint8Array(await zipped.arrayBuffer()));
  const bytes = new Uint8Array(sealed);
  await env.ARCHIVE.put(`${backupsPrefix}${name}/${file}`, bytes);
  return { file, sha256: hex(await crypto.subtle.digest('SHA-256', bytes)), bytes: bytes.length };
}
