import type { MiddlewareHandler } from 'hono';
import type { KeyScope } from '../../../contract/key-scopes.ts';
import type { AppEnv } from '../../app-env.ts';
import type { Role } from '../../features/account/rows/accounts.ts';

/**
 * Who may call a route: whoever any one of these lets in. The middleware that decides, the OpenAPI document and the tests
 * read the same object.
 */
export interface Guard {
  /** An API key with this scope. */
  readonly key?: KeyScope;
  /** The key is only read: the route has it checked within its own call of the account, by `checkedKey` or there. */
  readonly keyIsCheckedByRoute?: true;
  /** People of the account who are signed in, by their roles. */
  readonly people?: readonly Role[];
  /** Whoever has the operator's token. */
  readonly operator?: true;
  /** People who run the gateway, signed in: `OPERATOR_EMAILS` names them. */
  readonly operatingPeople?: true;
  /** Session bridges, each as itself. */
  readonly bridges?: true;
  /** Anybody without a credential, where the gateway is open to sign-ups. */
  readonly newcomers?: true;
  /** Anybody who brings a signed URL: the route verifies it. */
  readonly signedUrl?: true;
  /** Anybody. What `asks` names, the route asks for itself. */
  readonly anybody?: true;
  /** The refresh cookie counts only from pages of our own origin, and those that `CORS_ORIGINS` names. */
  readonly asks?: 'refreshCookie' | 'refreshCookieIfAny' | 'enrolmentToken';
}

/** `always`: whatever is asked; `sometimes`: it depends on what is asked, and the route decides. */
export type StepUp = 'always' | 'sometimes';

interface Mark {
  guard?: Guard;
  stepUp?: StepUp;
}

const marks = new WeakMap<object, Mark>();

/** Notes on a middleware what it does: what reads the routes cannot read anything else. */
export function marked(mark: Mark, middleware: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> {
  marks.set(middleware, mark);
  return middleware;
}

/** What is noted on this middleware; undefined where it guards nothing. */
export const markOf = (middleware: object): Mark | undefined => marks.get(middleware);
