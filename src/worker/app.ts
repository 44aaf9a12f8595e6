import { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';
import { checkedSettings } from './http/checked-settings.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { renderFault, renderNoRoute } from './http/refusal-response.ts';
import { requestLimits } from './http/request/request-limits.ts';
import { readToItsEnd } from './http/request/rest-of-body.ts';
import { requestLog } from './http/request-log.ts';
import { closedContentPolicy, notStored, securityHeaders } from './http/security-headers.ts';
import { tellAuditLogs } from './http/tell-audit-logs.ts';
import { accountSelfRoutes } from './routes/account.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { auditLogRoutes } from './routes/audit-log.ts';
import { dashboardFiles } from './routes/dashboard.ts';
import { eventRoutes } from './routes/events.ts';
import { mediaRoutes } from './routes/media.ts';
import { messageRoutes } from './routes/messages.ts';
import { numberRoutes } from './routes/numbers.ts';
import { optOutRoutes } from './routes/opt-outs.ts';
import { accountRoutes } from './routes/people/accounts.ts';
import { authRoutes } from './routes/people/auth.ts';
import { invitationRoutes } from './routes/people/invitations.ts';
import { memberRoutes } from './routes/people/members.ts';
import { passwordRoutes } from './routes/people/password.ts';
import { sessionRoutes } from './routes/people/sessions.ts';
import { signUpRoutes } from './routes/people/sign-up.ts';
import { stepUpRoutes } from './routes/people/step-up.ts';
import { twoFactorRoutes } from './routes/people/two-factor.ts';
import { requestRoutes } from './routes/requests.ts';
import { bridgeRoutes } from './routes/service/bridges.ts';
import { docsRoutes } from './routes/service/docs.ts';
import { healthRoutes } from './routes/service/health.ts';
import { operatorRoutes } from './routes/service/operator.ts';
import { settingsRoutes } from './routes/settings.ts';
import { trafficRoutes } from './routes/traffic.ts';
import { usageRoutes } from './routes/usage.ts';
import { alertRoutes } from './routes/webhooks/alerts.ts';
import { webhookRoutes } from './routes/webhooks/webhooks.ts';

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
app.route('/v1/messages', messageRoutes);
app.route('/v1/media', mediaRoutes);
app.route('/v1/auth/api-keys', apiKeyRoutes);
app.route('/v1/auth/sign-up', signUpRoutes);
app.route('/v1/auth/sessions', sessionRoutes);
app.route('/v1/auth/password', passwordRoutes);
app.route('/v1/auth/two-factor', twoFactorRoutes);
app.route('/v1/auth/step-up', stepUpRoutes);
app.route('/v1/auth/members', memberRoutes);
app.route('/v1/auth/invitations', invitationRoutes);
app.route('/v1/auth', accountRoutes);
app.route('/v1/auth', authRoutes);
app.route('/v1/numbers', numberRoutes);
app.route('/v1/events', eventRoutes);
app.route('/v1/webhooks', webhookRoutes);
app.route('/v1/alerts', alertRoutes);
app.route('/v1/settings', settingsRoutes);
app.route('/v1/opt-outs', optOutRoutes);
app.route('/v1/requests', requestRoutes);
app.route('/v1/traffic', trafficRoutes);
app.route('/v1/account', accountSelfRoutes);
app.route('/v1/usage', usageRoutes);
app.route('/v1/operator', operatorRoutes);
app.route('/v1/audit-log', auditLogRoutes);
app.route('/', healthRoutes);
app.route(
  '/',
  docsRoutes(() => app.routes),
);
// Last: what nothing above answers may be a page.
app.route('/', dashboardFiles);
