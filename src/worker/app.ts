import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './app-env.ts';
import { renderFault, renderNoRoute } from './http/refusal-response.ts';
import { requestLog } from './http/request-log.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { auditLogRoutes } from './routes/audit-log.ts';
import { authRoutes } from './routes/auth.ts';
import { bridgeRoutes } from './routes/bridges.ts';
import { healthRoutes } from './routes/health.ts';
import { messageRoutes } from './routes/messages.ts';
import { numberRoutes } from './routes/numbers.ts';
import { optOutRoutes } from './routes/opt-outs.ts';
import { settingsRoutes } from './routes/settings.ts';
import { usageRoutes } from './routes/usage.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const app = new Hono<AppEnv>();
app.onError(renderFault);
app.notFound(renderNoRoute);

// Before everything that touches headers: those of an upgrade that an object has answered cannot be changed.
app.route('/bridge', bridgeRoutes);

app.use(requestLog);
app.use(secureHeaders());
app.route('/v1/messages', messageRoutes);
app.route('/v1/auth/api-keys', apiKeyRoutes);
app.route('/v1/auth', authRoutes);
app.route('/v1/numbers', numberRoutes);
app.route('/v1/webhooks', webhookRoutes);
app.route('/v1/settings', settingsRoutes);
app.route('/v1/opt-outs', optOutRoutes);
app.route('/v1/usage', usageRoutes);
app.route('/v1/audit-log', auditLogRoutes);
app.route('/', healthRoutes);
