import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSigned, signatureOf } from '../../../src/session-bridge/network/client/fast-signatures.ts';

const library = createRequire(import.meta.resolve('@whiskeysockets/baileys'));
const curves = library('libsignal/src/curve.js');
const inJavaScript = createRequire(library.resolve('libsignal/src/curve.js'))('curve25519-js');

const keys = Array.from({ length: 8 }, () => {
  const { pubKey, privKey } = curves.generateKeyPair();
  return { pubKey, publicKey: pubKey.subarray(1), privKey };
});
const message = fc.uint8Array({ maxLength: 200 });
const holder = fc.constantFrom(...keys);

test('a signature counts for its message and key alone, as it does for the library', () => {
  const position = fc.integer({ min: 0, max: 63 });
  fc.assert(
    fc.property(
      holder,
      holder,
      message,
      position,
      fc.integer({ min: 1, max: 255 }),
      (key, other, text, at, by) => {
        const signature = Buffer.from(inJavaScript.sign(key.privKey, text));
        const changed = Buffer.from(signature);
        changed[at] = (changed[at] ?? 0) ^ by;
        expect(isSigned(key.publicKey, text, signature)).toBe(true);
        expect(isSigned(key.publicKey, text, changed)).toBe(false);
        expect(isSigned(key.publicKey, Buffer.concat([text, Buffer.of(1)]), signature)).toBe(false);
        expect(isSigned(other.publicKey, text, signature)).toBe(
          inJavaScript.verify(new Uint8Array(other.publicKey), text, new Uint8Array(signature)),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('what is signed here counts for the library, and twice the same is signed differently', () => {
  fc.assert(
    fc.property(holder, message, ({ publicKey, privKey }, text) => {
      const signature = signatureOf(privKey, text);
      expect(inJavaScript.verify(new Uint8Array(publicKey), text, new Uint8Array(signature))).toBe(true);
      expect(isSigned(publicKey, text, signature)).toBe(true);
      expect(signatureOf(privKey, text)).not.toEqual(signature);
    }),
    { numRuns: 60 },
  );
});

test('keys that are no points of the curve have signed nothing', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), message, (publicKey, text) => {
      expect(isSigned(publicKey, text, new Uint8Array(64))).toBe(
        inJavaScript.verify(publicKey, text, new Uint8Array(64)),
      );
    }),
    { numRuns: 20 },
  );
  expect(isSigned(new Uint8Array(32).fill(255), new Uint8Array(1), new Uint8Array(64).fill(1))).toBe(false);
});

test('the client signs and verifies by it, and what the library refuses to look at it still refuses', () => {
  const { pubKey, privKey } = curves.generateKeyPair();
  const text = Buffer.from('a text');
  const signature = curves.calculateSignature(privKey, text);
  expect(curves.verifySignature(pubKey, text, signature)).toBe(true);
  expect(curves.verifySignature(pubKey, Buffer.from('another'), signature)).toBe(false);
  expect(() => curves.verifySignature(pubKey, text, signature.subarray(1))).toThrow('Invalid signature');
  expect(() => curves.verifySignature(pubKey, null, signature)).toThrow('Invalid message');
  expect(() => curves.calculateSignature(privKey, null)).toThrow('Invalid message');
  expect(() => curves.calculateSignature(privKey.subarray(1), text)).toThrow('private key length');
});
