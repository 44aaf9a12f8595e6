import { expect, test } from 'vitest';
import { FrameReader, frame } from '../../../src/network-simulator/noise/frames.ts';
import { dhKeyPairFrom, ServerHandshake } from '../../../src/network-simulator/noise/server-handshake.ts';

// A transcript computed by another implementation, in another language, from the Noise specification: each private
// key is one byte 32 times over (client 11 and 22, server 33 and 44), the certificate chain a plain text.
const clientHello = '12220a207b4e909bbe7ffe44c465a220037d608ee35897d31ef972f07f74892cb0f73f13';
const serverHello =
  '1a770a207b0d47d93427f8311160781c7c733fd89f88970aef490d8aa0ee19a4cb8a1b14123076c390387466635d58f0323bdcbe69099601a1a274074852c87a5a56adbc2200326ad89abf7d0428235760e33dfb73581a214198e7f4c52ea311f4fcd9b0722dce3982cda18c095f2cc4cf7ee83e74dd4584bf';
const clientFinish =
  '22520a30b9cb19690dfcfb9a42e033388870388167c822982ffe1d4ef4c15a4d3e5d9d41f1cfd0aacf93fa042e5ed98ecc332a23121e23086c73815eb3bec1f2e4aed074b6d30e8124db6b57cb9264a378041c59';
const clientKey = '0faa684ed28867b97f4a6a2dee5df8ce974e76b7018e3f22a1c4cf2678570f20';
const fromClient = [
  { sealed: '7df1fcadecfecf7f458eedd21fbfe641d24b03f2b3', plain: 'first' },
  { sealed: 'c468529e6546f4000df17d90a95d3d01093eedc0ccd0', plain: 'second' },
];
const fromServer = [
  { sealed: '12c7960b60fc05854e9e2fff1b4c58a3f2994dfd2e47', plain: 'answer' },
  { sealed: '7ec6432aa72fe321ced31d94259e98288667ffbfdbfd4f', plain: 'another' },
];

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const handshake = (): ServerHandshake =>
  new ServerHandshake({
    ephemeral: dhKeyPairFrom(Buffer.alloc(32, 0x33)),
    identity: dhKeyPairFrom(Buffer.alloc(32, 0x44)),
    certificateChain: Buffer.from('certificate chain'),
  });

test('the handshake gives the bytes, keys and payload of the known transcript', () => {
  const server = handshake();
  expect(Buffer.from(server.readClientHello(hex(clientHello))).toString('hex')).toBe(serverHello);
  const result = server.readClientFinish(hex(clientFinish));
  expect(result.clientKey.toString('hex')).toBe(clientKey);
  expect(result.payload.toString()).toBe('client payload');
  for (const { sealed, plain } of fromClient) {
    expect(result.transport.open(hex(sealed)).toString()).toBe(plain);
  }
  for (const { sealed, plain } of fromServer) {
    expect(result.transport.seal(Buffer.from(plain)).toString('hex')).toBe(sealed);
  }
});

test('a changed byte in the finish of the client is noticed', () => {
  const server = handshake();
  server.readClientHello(hex(clientHello));
  const changed = hex(clientFinish);
  changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
  expect(() => server.readClientFinish(changed)).toThrow();
});

test('a stream is cut into frames however it is split', () => {
  const stream = Buffer.concat([
    Buffer.from('WA\x06\x03', 'latin1'),
    frame(Buffer.from('one')),
    frame(Buffer.alloc(7_000, 2)),
  ]);
  for (const pieceBytes of [1, 3, 4096, stream.length]) {
    const reader = new FrameReader();
    const frames: Buffer[] = [];
    for (let at = 0; at < stream.length; at += pieceBytes) {
      frames.push(...reader.push(stream.subarray(at, at + pieceBytes)));
    }
    expect(frames.map((one) => one.length)).toEqual([3, 7_000]);
  }
});

test('routing information of an earlier login comes before the stream and is skipped', () => {
  const routing = Buffer.from('somewhere');
  const length = Buffer.from([0, 0, routing.length]);
  const stream = Buffer.concat([
    Buffer.from('ED\x00\x01', 'latin1'),
    length,
    routing,
    Buffer.from('WA\x06\x03', 'latin1'),
    frame(Buffer.from('one')),
  ]);
  expect(new FrameReader().push(stream).map(String)).toEqual(['one']);
});

test('a client of another protocol is turned away', () => {
  expect(() => new FrameReader().push(Buffer.from('GET / HTTP/1.1'))).toThrow('another protocol');
});
