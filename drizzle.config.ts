import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/database/schema.ts',
    './src/database/identity-schema.ts',
    './src/database/alert-schema.ts',
    './src/database/assistants-schema.ts',
  ],
  out: './migrations',
});
