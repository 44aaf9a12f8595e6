import { expect, test } from 'vitest';
import { isSigned } from '../../../src/session-bridge/network/client/fast-signatures.ts';

// Computed by another implementation from the XEdDSA specification; the two keys differ in the sign of their point.
const vectors = [
  {
    publicKey: '38ab664bd86f77d7e66bdd9ae0792913a94fd8b33a1260027e4b46c1f4884c67',
    signature:
      '8c1f88963483748556640e273422f92c4e1e9a47ee83ccf31e684fdb1f5abc1ec623f164d86be52b708b0eab29f68f6cb5533f073c900bdec60e3e9db21a4105',
  },
  {
    publicKey: '7d904be3bcab1a910c65ac4b0a2cdd16a846ad8a0ac72db31cc3e47671d30e02',
    signature:
      '65d712b3666674a154afaf866ef17e9594abcbe81f77ff7ceb954ee77fd451d74b22eb3e08853ed6fdd2c3507608e6c2cccb21bfd159d8d9b8d593be362d2987',
  },
];
const message = Buffer.from('a device identity');
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

test.each(vectors)('a known signature by $publicKey is accepted', ({ publicKey, signature }) => {
  expect(isSigned(hex(publicKey), message, hex(signature))).toBe(true);
});

test.each(vectors)('the same signature under another message is refused', ({ publicKey, signature }) => {
  expect(isSigned(hex(publicKey), Buffer.from('another identity'), hex(signature))).toBe(false);
});

test('a signature by another key is refused', () => {
  const [first, second] = vectors;
  expect(isSigned(hex(first?.publicKey ?? ''), message, hex(second?.signature ?? ''))).toBe(false);
});

test('random bytes are no signature', () => {
  expect(isSigned(hex(vectors[0]?.publicKey ?? ''), message, Buffer.alloc(64, 5))).toBe(false);
});
