import { joined } from './inspected-bytes.ts';

/** What R2 takes as a part: all but the last as long as this, which is the shortest that it takes. */
const partBytes = 5 * 1024 * 1024;

/**
 * Writes a stream of bytes as one object. If the length is known, the bytes are streamed; otherwise they are gathered in parts
 * of 5 MiB. If `chunks` throws, nothing is stored and this throws too.
 */
export async function writeObject(
  bucket: R2Bucket,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  bytesKnown: number | null,
): Promise<void> {
  await (bytesKnown === null
    ? writeInParts(bucket, key, chunks)
    : writeThrough(bucket, key, chunks, bytesKnown));
}

async function writeThrough(bucket: R2Bucket, key: string, chunks: AsyncIterable<Uint8Array>, bytes: number) {
  const { readable, writable } = new FixedLengthStream(bytes);
  const stored = bucket.put(key, readable);
  const writer = writable.getWriter();
  const pumped = (async () => {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  })();
  try {
    // Whichever fails first: a store that gives up would leave the writer waiting.
    await Promise.all([stored, pumped]);
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    await Promise.allSettled([stored, pumped]);
    throw error;
  }
}

async function writeInParts(bucket: R2Bucket, key: string, chunks: AsyncIterable<Uint8Array>) {
  let upload: R2MultipartUpload | null = null;
  const parts: R2UploadedPart[] = [];
  let gathered: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength; ) {
        const piece = chunk.subarray(at, at + partBytes - length);
        gathered.push(piece);
        at += piece.byteLength;
        length += piece.byteLength;
        if (length < partBytes) continue;
        upload ??= await bucket.createMultipartUpload(key);
        parts.push(await upload.uploadPart(parts.length + 1, joined(gathered)));
        gathered = [];
        length = 0;
      }
    }
    if (upload === null) await bucket.put(key, joined(gathered));
    else {
      if (length > 0) parts.push(await upload.uploadPart(parts.length + 1, joined(gathered)));
      await upload.complete(parts);
    }
  } catch (error) {
    await upload?.abort().catch(() => undefined);
    throw error;
  }
}
