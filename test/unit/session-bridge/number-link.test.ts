import { expect, test } from 'vitest';
import { linkCloseCodes } from '../../../src/contract/bridge/bridge-frames.ts';
import { afterNumberLink, isGrantRefusal } from '../../../src/session-bridge/edge/edge-link.ts';

test.each([
  ['the number was deleted', linkCloseCodes.gone, 'gone'],
  ['the lease is over', linkCloseCodes.staleEpoch, 'stale epoch'],
  ['the upgrade was refused, for the lease is over', 409, 'stale epoch'],
  ['another process took over', linkCloseCodes.replaced, 'reconnect slowly'],
  ['the bridge was revoked', linkCloseCodes.revoked, 'reconnect slowly'],
  ['a frame was not understood', linkCloseCodes.protocolError, 'reconnect slowly'],
  ['the edge does not know the number', 404, 'reconnect slowly'],
  ['the edge was deployed anew', 1012, 'reconnect'],
  ['the connection broke', 1006, 'reconnect'],
  ['the upgrade failed for the moment', 503, 'reconnect'],
  ['the grant was not believed', 403, 'reconnect'],
])('where %s, the link knows what comes next', (_what, code, next) => {
  expect(afterNumberLink(code)).toBe(next);
});

test('a grant is left out after a refusal that may be about it, and after no other', () => {
  expect([400, 403].every(isGrantRefusal)).toBe(true);
  expect([401, 404, 409, 429, 500, 503, 1006].some(isGrantRefusal)).toBe(false);
});
