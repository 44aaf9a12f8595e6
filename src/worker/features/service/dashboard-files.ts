import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from '../../app-env.ts';
import { anybody } from '../../auth/callers.ts';
import { asset } from '../../http/answer/asset.ts';
import { renderNoRoute } from '../../http/answer/refusal-response.ts';

/**
 * The page may load only from this host, and its forms are not submitted anywhere by the browser, since their fields have
 * passwords. The components set sizes and colours on their elements, so styles need `unsafe-inline`. QR codes are `data:`
 * pictures.
 */
const onlyThisHost = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    mediaSrc: ["'self'", 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** The folders of the gateway itself: nothing below them is a page. */
const notPages = /^\/(v1|bridge|docs|dashboard|openapi\.json|healthz|readyz|metrics)(\/|$)/;

/** The dashboard's files. Those with a hash in their name never change. */
export const dashboardFiles = new Hono<AppEnv>();

dashboardFiles.get('/dashboard/assets/:file', anybody, onlyThisHost, async (c) => {
  const found = await asset(c, `/dashboard/assets/${encodeURIComponent(c.req.param('file'))}`);
  if (found.ok) found.headers.set('Cache-Control', 'public, max-age=31536000, immutable');
  return found;
});
dashboardFiles.get('/dashboard/:file', anybody, onlyThisHost, (c) =>
  asset(c, `/dashboard/${encodeURIComponent(c.req.param('file'))}`),
);

/** Its paths are known to the page alone, so every other path that a browser opens is the page's; the rest is no route. */
dashboardFiles.use(async (c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || !isNavigation(c) || notPages.test(c.req.path)) return next();
  return onlyThisHost(c, async () => {
    c.res = await dashboardPage(c);
  });
});

/** Asked again each time: the names in it say which files belong together. */
async function dashboardPage(c: Context<AppEnv>): Promise<Response> {
  const page = await asset(c, '/dashboard/');
  page.headers.set('Cache-Control', 'no-cache');
  page.headers.append('Vary', 'Accept, Sec-Fetch-Mode');
  return page.status === 404 ? renderNoRoute(c) : page;
}

/** A browser that opens an address, and no program or script. */
function isNavigation(c: Context<AppEnv>): boolean {
  const mode = c.req.header('Sec-Fetch-Mode');
  if (mode !== undefined) return mode === 'navigate';
  return /\btext\/html\b/.test(c.req.header('Accept') ?? '');
}
