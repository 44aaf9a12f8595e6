import { expect, test } from 'vitest';
import { readRuntimeLine } from '../../../src/local/gateway/workerd-guard.ts';

const hangUp =
  'kj::getCaughtExceptionAsKj() = rust/cxx/kj-rs-io/ffi.rs:159: disconnected: write(): Broken pipe (os error 32)\nstack: /workerd@5683373';

test('a client that hangs up is no fault of the gateway', () => {
  expect(readRuntimeLine('error', hangUp)).toMatchObject({ is: 'said', isError: false });
});

test('of what the runtime says by itself only the place and the length are kept, and it is a fault', () => {
  const quoting = 'kj/compat/http.c++:1234: failed: bad chunk; body = {"password":"…"}';
  expect(readRuntimeLine('error', quoting)).toEqual({
    is: 'said',
    isError: true,
    at: 'kj/compat/http.c++:1234',
    characters: quoting.length,
  });
});

test('a line of the Worker is known by its event', () => {
  expect(readRuntimeLine('info', '{"at":"2026-11-22T10:00:00.000Z","event":"request"}')).toEqual({
    is: 'own',
  });
  expect(readRuntimeLine('error', '{"at":"2026-11-22T10:00:00.000Z"}')).toMatchObject({
    is: 'said',
    isError: true,
  });
});
