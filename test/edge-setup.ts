import { applyD1Migrations, type D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

const { MIGRATIONS } = env as typeof env & { MIGRATIONS: D1Migration[] };
await applyD1Migrations(env.DB, MIGRATIONS);
