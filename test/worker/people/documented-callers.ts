import type { KeyScope } from '../../../src/contract/key-scopes.ts';
import type { Caller } from '../attack/callers.ts';
import { type Call, calls } from '../openapi/openapi-document.ts';
import { exampleBodies } from '../openapi/openapi-requests.ts';
import type { World } from '../openapi/openapi-world.ts';

/*
 * What the document says of who may call what, for the tests that hold the Worker to it.
 */

export const kindsOf = ({ operation }: Call) => operation['x-callers'];

export const may = (call: Call, caller: Caller) => kindsOf(call).includes('anybody') || mayAs(call, caller);
const mayAs = (call: Call, { as, scopes }: Caller) =>
  as !== null && kindsOf(call).includes(as) && (scopes === undefined || hasScope(call, scopes));
const hasScope = ({ operation }: Call, scopes: readonly KeyScope[]) =>
  scopes.some((scope) => scope === operation['x-scope']);

export const bodyOf = (call: Call) => exampleBodies(call)[0]?.[1];
export const nameOf = ({ method, path }: Call) => `${method} ${path}`;
/** A test for each call. */
export const cases = calls.map((call) => ({ title: nameOf(call), call }));

/** A world of which another call may change what is named. */
export const copyOf = (own: World): World => ({ ...own, headers: {}, names: new Map(own.names) });
