import type { Context } from 'hono';
import type { KeyScope } from '../../contract/key-scopes.ts';
import type { AppEnv, Caller } from '../app-env.ts';
import type { Role } from '../features/account/rows/accounts.ts';
import { keyStands } from './checks/api-key-check.ts';
import { personStands, type UserCaller } from './checks/token-check.ts';
import { allow } from './guards/allow.ts';

/*
 * Who may call a route: each route has one of these, before anything else that it does. The OpenAPI document, and the test
 * that says who may do what, read it from there.
 */

const everybody: readonly Role[] = ['owner', 'admin', 'agent'];
const administrators: readonly Role[] = ['owner', 'admin'];

/** Whoever asks, with or without a credential. */
export const anybody = allow({ anybody: true });

/** Anyone who is signed in to the dashboard. */
export const signedIn = allow({ people: everybody });

/** An owner or admin, signed in to the dashboard. */
export const administrator = allow({ people: administrators });

/** An API key with this scope, or an owner or admin. The key decides where both are sent. */
export const keyOrAdministrator = (scope: KeyScope) => allow({ key: scope, people: administrators });

/** An API key with this scope, or anyone who is signed in. The key decides where both are sent. */
export const keyOrPerson = (scope: KeyScope) => allow({ key: scope, people: everybody });

/**
 * An API key with this scope, which is only read here: the account checks it in the call that does what is asked, so that
 * there is one long haul. It stands in the context, as `namedKey`.
 */
export const keyCheckedByRoute = (scope: KeyScope) => allow({ key: scope, keyIsCheckedByRoute: true });

/** As {@link keyOrPerson}, and whoever brings a signed URL, which the route verifies. */
export const keyOrPersonOrSignedUrl = (scope: KeyScope) =>
  allow({ key: scope, people: everybody, signedUrl: true });

/** The operator of the gateway, by its token: no credential of an account does. */
export const operator = allow({ operator: true });

/** The operator's token, or a person who runs the gateway and is signed in. */
export const operatorOrPerson = allow({ operator: true, operatingPeople: true });

/** The operator's token; where the gateway is open to sign-ups, also whoever brings none. */
export const operatorOrNewcomer = allow({ operator: true, newcomers: true });

/** Anybody from our own pages, or those that `CORS_ORIGINS` names: the refresh cookie goes with whatever page asks. */
export const ownPages = allow({ anybody: true, asks: 'refreshCookieIfAny' });

/** As {@link ownPages}; without the cookie the route refuses them. */
export const ownPagesWithCookie = allow({ anybody: true, asks: 'refreshCookie' });

/** Whoever has an enrolment token, which the route asks the fleet about. */
export const newBridge = allow({ anybody: true, asks: 'enrolmentToken' });

/** Session bridges, each as itself. */
export const bridge = allow({ bridges: true });

/** The person behind a request that {@link signedIn} or {@link administrator} let in. */
export function personOf(c: Context<AppEnv>): UserCaller {
  const caller = c.get('caller');
  if (caller.kind !== 'user') throw new Error('a key came through where only people may');
  return caller;
}

/** The only number that the caller may read about; null for all of the account. */
export function onlyNumberOf(c: Context<AppEnv>): string | null {
  const caller = c.get('caller');
  return caller.kind === 'key' ? caller.onlyNumberId : null;
}

/** Whether the caller of a request that goes on may still do what it does. */
export const callerStands = (env: Env, caller: Caller): Promise<boolean> =>
  caller.kind === 'key' ? keyStands(env, caller) : personStands(env, caller);
