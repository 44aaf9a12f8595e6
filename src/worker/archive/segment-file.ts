/** How often a change is made anew to what somebody else has written meanwhile. */
const attemptsMax = 5;
/** A writer whose caller has given up on it (after a minute) begins no write any more. */
const writesForMs = 45_000;

type Bucket = Pick<R2Bucket, 'get' | 'head' | 'put'>;

/** Somebody else has written the segment meanwhile. */
class SegmentTaken extends Error {}

/**
 * Writes a segment anew, whatever it holds; how many bytes it has then. Two that write the same one do not overwrite each
 * other unseen: the later one throws, and whoever asked for it asks again.
 */
export async function writeSegment(bucket: Bucket, key: string, lines: string): Promise<number> {
  const before = await bucket.head(key);
  const compressed = await gzipped(lines);
  if (!(await putOver(bucket, key, before, compressed)))
    throw new SegmentTaken(`${key} was written meanwhile`);
  return compressed.byteLength;
}

/**
 * Changes the content of a segment. If the segment was written meanwhile, `change` runs again on the new content: what an erasure
 * removed stays removed, and what was archived is not lost. `change` returns null when there is nothing to write. Returns the
 * bytes written, or null when none were.
 */
export async function changeSegment(
  bucket: Bucket,
  key: string,
  change: (lines: string | null) => string | null,
): Promise<number | null> {
  const until = Date.now() + writesForMs;
  for (let attempt = 1; attempt <= attemptsMax && Date.now() < until; attempt += 1) {
    const found = await bucket.get(key);
    const lines = change(found && (await gunzipped(found.body)));
    if (lines === null) return null;
    const compressed = await gzipped(lines);
    if (Date.now() < until && (await putOver(bucket, key, found, compressed))) return compressed.byteLength;
  }
  throw new SegmentTaken(`${key} was written again and again meanwhile`);
}

/** What a segment holds; null: there is none. */
export async function readSegment(bucket: Bucket, key: string): Promise<string | null> {
  const found = await bucket.get(key);
  return found && gunzipped(found.body);
}

/** False: it is another one by now than `before`, or is there where none was. */
async function putOver(
  bucket: Bucket,
  key: string,
  before: { etag: string } | null,
  bytes: ArrayBuffer,
): Promise<boolean> {
  const onlyIf = before === null ? new Headers({ 'If-None-Match': '*' }) : { etagMatches: before.etag };
  const httpMetadata = { contentType: 'application/gzip' };
  return (await bucket.put(key, bytes, { onlyIf, httpMetadata })) !== null;
}

const gzipped = (lines: string): Promise<ArrayBuffer> =>
  new Response(new Blob([lines]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

const gunzipped = (body: ReadableStream): Promise<string> =>
  new Response(body.pipeThrough(new DecompressionStream('gzip'))).text();
