import type { MiddlewareHandler } from 'hono';
import type { RouterRoute } from 'hono/types';
import type { KeyScope } from '../../contract/key-scopes.ts';
import type { AppEnv } from '../app-env.ts';
import type { Role } from '../features/account/rows/accounts.ts';

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

/** What a request to a route must pass. */
export interface RouteGuard {
  method: string;
  /** As the router knows it: `/v1/messages/:messageId`. */
  path: string;
  guard: Guard;
  /** Undefined where the route never asks for it. */
  stepUp: StepUp | undefined;
}

export const routeName = ({ method, path }: { method: string; path: string }) =>
  `${method.toUpperCase()} ${path}`;

/**
 * The guard of each route, by `GET /v1/…`, in the order in which the router runs them: the route's own, or that of a `use`
 * before it. Throws if a route has none or two, or does anything before its guard.
 */
export function routeGuards(routes: readonly RouterRoute[]): Map<string, RouteGuard> {
  const steps = routes.map((route, index) => ({ ...route, index, mark: markOf(route.handler) }));
  const forAll = steps.filter(({ method, mark }) => method === 'ALL' && mark !== undefined);
  const own = Map.groupBy(
    steps.filter(({ method }) => method !== 'ALL'),
    routeName,
  );
  return new Map(
    [...own].map(([name, [first, ...rest]]) => {
      if (first === undefined) throw new Error(`${name}: nothing answers`);
      const { method, path } = first;
      const last = rest.at(-1) ?? first;
      const before = forAll.filter((step) => step.index < last.index && covers(step.path, path));
      const passed = [...before, first, ...rest];
      const guards = passed.filter(({ mark }) => mark?.guard !== undefined);
      const [guarding] = guards;
      if (guarding?.mark?.guard === undefined || guards.length > 1)
        throw new Error(`${name} has ${guards.length} guards: one middleware says who may call a route`);
      if (guarding.index > first.index) throw new Error(`${name} does something before its guard`);
      const stepUp = passed.find(({ mark }) => mark?.stepUp !== undefined)?.mark?.stepUp;
      return [name, { method, path, guard: guarding.mark.guard, stepUp }];
    }),
  );
}

/** Whether a middleware for this path also runs for that route, as one for `/v1/webhooks/*` does for `/v1/webhooks`. */
const covers = (used: string, path: string) =>
  used.endsWith('/*') ? `${path}/`.startsWith(used.slice(0, -1)) : used === path;
