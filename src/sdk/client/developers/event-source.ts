import { ConnectionError } from '../http/errors.ts';

/** The gateway says something every 15 s: after this long without a word the connection is taken for dead. */
const silenceMsMax = 45_000;

/**
 * What a stream of server-sent events says, by its name (`event:`); null where it has none. Throws a
 * {@link ConnectionError} when it breaks or falls silent.
 */
export async function* framesOfStream(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ name: string | null; data: unknown }, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silenceMsMax, reader.read());
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = fieldOf(block, 'data');
        if (data !== null) yield { name: fieldOf(block, 'event'), data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function fieldOf(block: string, name: string): string | null {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
}

async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ConnectionError('The event stream fell silent.')), ms);
    });
    return await Promise.race([value, silence]);
  } finally {
    clearTimeout(timer);
  }
}
