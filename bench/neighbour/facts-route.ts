interface Handler {
  fetch(request: Request, env: object, context: unknown): Promise<Response> | Response;
}
interface Env {
  EVENT_LOG: { getByName(name: string): { take(facts: unknown): Promise<object> } };
}

/**
 * The built Worker with a door of the bench beside its own: `POST /bench/facts?account=` hands facts to an account's log,
 * as an account or a number does.
 */
export function withFactsRoute<Product extends { default: Handler }>(product: Product): Product {
  const { default: handler } = product;
  const fetch = async (request: Request, env: object, context: unknown): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/bench/facts') return handler.fetch(request, env, context);
    const log = (env as Env).EVENT_LOG.getByName(searchParams.get('account') ?? '');
    return Response.json(await log.take(await request.json()));
  };
  return { ...product, default: { ...handler, fetch } };
}
