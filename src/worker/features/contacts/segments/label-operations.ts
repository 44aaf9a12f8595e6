import { Hono } from 'hono';
import type { z } from 'zod';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { askLog } from '../../../object-calls.ts';
import type { contactLabelListSchema } from '../records.ts';

/** The labels that contacts have. */
export const contactLabelRoutes = new Hono<AppEnv>();

contactLabelRoutes.get('/', keyOrAdministrator('contacts'), async (c) => {
  const labels = await askLog(c.env, c.get('caller').accountId, (log) => log.contactLabels());
  return c.json<z.infer<typeof contactLabelListSchema>>({
    data: labels.map((label) => ({ label })),
    nextCursor: null,
  });
});
