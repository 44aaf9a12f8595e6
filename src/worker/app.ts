import { Hono, type MiddlewareHandler } from 'hono';
import { invalidField } from '../contract/errors.ts';
import { settingsOf } from '../settings/worker-settings.ts';
import type { AppEnv } from './app-env.ts';
import { routeGuards } from './auth/guards.ts';
import { mountFeatures } from './features/all.ts';
import { bridgeRoutes } from './features/bridges/connection-operations.ts';
import { dashboardFiles } from './features/service/dashboard-files.ts';
import { docsRoutes } from './features/service/docs-operations.ts';
import { afterAnswer } from './http/after-answer.ts';
import { closedContentPolicy, notStored, securityHeaders } from './http/answer/answer-headers.ts';
import { renderFault, renderNoRoute, renderRefusal } from './http/answer/refusal-response.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { readToItsEnd } from './http/request/body/rest-of-body.ts';
import { requestLog } from './http/request-log.ts';
import { askAuditLog } from './object-calls.ts';

/** Characters of the URL, and of all header names and values together. */
const urlCharactersMax = 8192;
const headerCharactersMax = 32_768;

/** Refuses what no honest client sends, before anything reads it. */
const requestLimits: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.raw.url.length > urlCharactersMax) {
    return renderRefusal(c, invalidField('url', `At most ${urlCharactersMax} characters.`));
  }
  let headerCharacters = 0;
  c.req.raw.headers.forEach((value, name) => {
    headerCharacters += name.length + value.length;
  });
  if (headerCharacters > headerCharactersMax) {
    return renderRefusal(c, invalidField('headers', `At most ${headerCharactersMax} characters in all.`));
  }
  return next();
};

/** Behind the answer, the logs that this request has made entries for take them over; the cron repeats it. */
const tellAuditLogs: MiddlewareHandler<AppEnv> = async (c, next) => {
  const accountIds = new Set<string>();
  c.set('auditedAccounts', accountIds);
  await next();
  for (const accountId of accountIds) {
    afterAnswer(c, 'audit_log.not_told', () => askAuditLog(c.env, accountId, (log) => log.collect()));
  }
};

/** A variable that is wrong stops everything, and not the one thing that reads it: it throws `SettingsProblem`. */
const checkedSettings: MiddlewareHandler<AppEnv> = (c, next) => {
  settingsOf(c.env);
  return next();
};

export const app = new Hono<AppEnv>();
app.onError(renderFault);
app.notFound(renderNoRoute);
app.use(checkedSettings);

// Before everything that touches headers: those of an upgrade that an object has answered cannot be changed.
app.route('/bridge', bridgeRoutes);

app.use(requestLog);
app.use(securityHeaders);
app.use(closedContentPolicy);
app.use(readToItsEnd);
app.use(requestLimits);
app.use('/v1/*', crossOrigin, notStored, tellAuditLogs);
mountFeatures(app);
app.route(
  '/',
  docsRoutes(() => app.routes),
);
// Last: what nothing above answers may be a page.
app.route('/', dashboardFiles);

// Where a route says not who may call it, nothing starts.
routeGuards(app.routes);
