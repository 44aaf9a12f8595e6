import { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';
import { routeGuards } from './auth/guards/route-guards.ts';
import { mountFeatures } from './features/all.ts';
import { bridgeRoutes } from './features/bridges/connection-operations.ts';
import { dashboardFiles } from './features/service/dashboard-files.ts';
import { docsRoutes } from './features/service/docs-operations.ts';
import { renderFault, renderNoRoute } from './http/answer/refusal-response.ts';
import { closedContentPolicy, notStored, securityHeaders } from './http/answer/security-headers.ts';
import { checkedSettings } from './http/checked-settings.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { requestLimits } from './http/request/body/request-limits.ts';
import { readToItsEnd } from './http/request/body/rest-of-body.ts';
import { requestLog } from './http/request-log.ts';
import { tellAuditLogs } from './http/tell-audit-logs.ts';

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
