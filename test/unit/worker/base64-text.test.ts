import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBase64 } from '../../../src/worker/http/request/base64-text.ts';

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

test('bytes in base64 come back the same, in whichever of the usual ways they were written', () => {
  fc.assert(
    fc.property(bytes, (raw) => {
      const base64 = raw.toString('base64');
      const lines = base64.replaceAll(/.{76}/g, '$&\r\n');
      const ways = [
        base64,
        lines,
        `${lines}\n`,
        base64.replace(/=+$/, ''),
        raw.toString('base64url'),
        raw.toString('base64url').padEnd(base64.length, '='),
        `data:image/png;base64,${base64}`,
        `data:;base64,${lines}`,
        `DATA:audio/ogg; codecs=opus;base64,${raw.toString('base64url')}`,
      ];
      for (const way of ways) expect(readBase64(way)?.base64, way).toBe(base64);
    }),
  );
});

test('a data URI tells its type, and one without base64 is none', () => {
  expect(readBase64('data:audio/ogg; codecs=opus;base64,QUJD')).toEqual({
    base64: 'QUJD',
    mediaType: 'audio/ogg; codecs=opus',
  });
  expect(readBase64('data:;base64,QUJD')).toEqual({ base64: 'QUJD', mediaType: null });
  expect(readBase64('data:text/plain,hello')).toBeNull();
});

test.each(['QUJDR', '!!!!', 'QUJD====', 'QU=JD', 'data:image/png;base64', 'ümlaut=='])(
  '%j is no base64',
  (text) => {
    expect(readBase64(text)).toBeNull();
  },
);
