import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/database/schema.ts', './src/database/identity-schema.ts', './src/database/alert-schema.ts'],
  out: './migrations',
});
