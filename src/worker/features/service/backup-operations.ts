import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../app-env.ts';
import { operator } from '../../auth/callers.ts';
import { copyDatabase, databaseSteps } from '../../backup/database-copy.ts';
import { keptObjects, knownSteps, objectKinds, objectToCopy } from '../../backup/kept-objects.ts';
import { filesOfBackup, keptBackups } from '../../backup/nightly/kept-backups.ts';
import { backupsPrefix } from '../../backup/nightly/nightly-state.ts';
import { secretMarks } from '../../backup/secret-marks.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound } from '../../http/request/shared-fields.ts';

/** What `npm run backup` asks for. All of it is read alone: what writes a restored gateway is a Worker of its own. */
export const backupRoutes = new Hono<AppEnv>();

const filesMax = 500;
const keySchema = z.array(z.union([z.string(), z.number(), z.null()])).max(20);
const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('begin') }),
  z.strictObject({ do: z.literal('rows'), table: z.string().max(200), after: keySchema.nullable() }),
  z.strictObject({ do: z.literal('end'), until: z.number().optional() }),
]);
const objectBodySchema = z.strictObject({
  kind: z.enum(objectKinds),
  name: z.string().min(1).max(200),
  step: stepSchema,
});

const notStored: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};
backupRoutes.use(notStored);

const bucketOf = (env: Env, name: string | undefined): R2Bucket | null =>
  name === 'media' ? env.MEDIA : name === 'archive' ? env.ARCHIVE : null;

backupRoutes.get('/', operator, async (c) => {
  const [objects, database] = await Promise.all([keptObjects(c.env), databaseSteps(c.env.DB)]);
  return c.json({ objects, steps: { ...knownSteps(), DB: database }, marks: secretMarks(c.env) });
});

backupRoutes.post('/objects', operator, jsonBody(objectBodySchema), async (c) => {
  const { kind, name, step } = c.req.valid('json');
  return c.json(await objectToCopy(c.env, kind, name).backUp(step));
});

backupRoutes.get('/database', operator, async (c) => c.json(await copyDatabase(c.env.DB)));

backupRoutes.get('/kept', operator, async (c) => c.json({ backups: await keptBackups(c.env) }));

backupRoutes.get('/kept/:name', operator, async (c) =>
  c.json(await filesOfBackup(c.env, c.req.param('name'), c.req.query('cursor'))),
);

backupRoutes.get('/files/:bucket', operator, async (c) => {
  const bucket = bucketOf(c.env, c.req.param('bucket'));
  if (bucket === null) return renderRefusal(c, notFound('bucket'));
  const cursor = c.req.query('cursor');
  const page = await bucket.list({ limit: filesMax, ...(cursor && { cursor }) });
  return c.json({
    // Backups that the gateway has made itself are in no other.
    files: page.objects
      .filter(({ key }) => !key.startsWith(backupsPrefix))
      .map(({ key, etag, size }) => ({ key, etag, size })),
    cursor: page.truncated ? page.cursor : null,
  });
});

backupRoutes.get('/files/:bucket/:key{.+}', operator, async (c) => {
  const file = await bucketOf(c.env, c.req.param('bucket'))?.get(c.req.param('key'));
  if (!file) return renderRefusal(c, notFound('file'));
  const about = { httpMetadata: file.httpMetadata ?? {}, customMetadata: file.customMetadata ?? {} };
  c.header('X-File-About', encodeURIComponent(JSON.stringify(about)));
  c.header('Content-Type', 'application/octet-stream');
  return c.body(file.body);
});
