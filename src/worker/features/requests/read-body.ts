/** What was read of the bodies of requests that are under way. */
const bodies = new WeakMap<Request, unknown>();

/** A request's body was read, and is this. */
export function noteBody(request: Request, value: unknown): void {
  bodies.set(request, value);
}

/** The body, where it was JSON; null where it was not read, or was none. */
export const readBodyOf = (request: Request): unknown => bodies.get(request) ?? null;
