import type { RouterRoute } from 'hono/types';
import { type Guard, markOf, type StepUp } from './guard.ts';

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
 * The guard of each route, by `GET /v1/…`, as the router runs it: the route's own, or that of a `use` before it. Throws where
 * a route has none or two, or does anything before it.
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
