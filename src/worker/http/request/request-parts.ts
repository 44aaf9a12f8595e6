import type { z } from 'zod';

/** The parts of a request that a middleware validates, by the schemas that it validates them with. */
export interface RequestParts {
  json?: z.ZodType;
  query?: z.ZodObject;
  /** The body, if there is one, must be empty. */
  noFields?: true;
}

const partsByMiddleware = new WeakMap<object, RequestParts>();

/** Notes what a middleware validates: the OpenAPI document is made of these, so it cannot describe other schemas. */
export function validating<Middleware extends object>(
  parts: RequestParts,
  middleware: Middleware,
): Middleware {
  partsByMiddleware.set(middleware, parts);
  return middleware;
}

/** What this middleware validates; undefined when it validates nothing. */
export const partsOf = (middleware: object): RequestParts | undefined => partsByMiddleware.get(middleware);
