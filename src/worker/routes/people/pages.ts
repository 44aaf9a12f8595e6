import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from '../../app-env.ts';
import { asset } from '../../http/asset.ts';

/** A page may load from this host alone, and its forms go nowhere by themselves: their fields hold passwords. */
const onlyThisHost = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** The pages that mailed links lead to; the token of a link never reaches the server that shows the page. */
export const peoplePages = new Hono<AppEnv>();
peoplePages.get('/invitation', onlyThisHost, (c) => asset(c, '/people/invitation'));
peoplePages.get('/password/reset', onlyThisHost, (c) => asset(c, '/people/reset'));
peoplePages.get('/verify', onlyThisHost, (c) => asset(c, '/people/verify'));
peoplePages.get('/people/:file', onlyThisHost, (c) =>
  asset(c, `/people/${encodeURIComponent(c.req.param('file'))}`),
);
