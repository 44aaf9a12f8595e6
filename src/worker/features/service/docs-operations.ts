import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { RouterRoute } from 'hono/types';
import type { AppEnv } from '../../app-env.ts';
import { anybody } from '../../auth/callers.ts';
import { asset } from '../../http/answer/asset.ts';
import { describedOperations } from '../all.ts';

/** The page may load from this host alone. The viewer sets styles on its elements, hence `unsafe-inline` for those. */
const onlyThisHost = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/**
 * The reference: `/openapi.json`, which is created at the first request and kept, and `/docs`, which shows it from our own
 * assets. The routes to describe are passed as a function, since these two are among them.
 */
export function docsRoutes(routes: () => readonly RouterRoute[]): Hono<AppEnv> {
  const docs = new Hono<AppEnv>();
  let document: string | null = null;

  docs.get('/openapi.json', anybody, async (c) => {
    // Loaded when it is asked for: every other isolate starts without its schemas and examples.
    const { openApiDocument } = await import('../../openapi/document.ts');
    document ??= JSON.stringify(openApiDocument(await describedOperations(), routes()));
    c.header('Cache-Control', 'public, max-age=300');
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });

  docs.get('/docs', anybody, onlyThisHost, (c) => asset(c, '/docs/'));
  docs.get('/docs/:file', anybody, onlyThisHost, (c) =>
    asset(c, `/docs/${encodeURIComponent(c.req.param('file'))}`),
  );

  return docs;
}
