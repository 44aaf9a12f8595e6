/*
 * The Worker of a gateway that is being restored. It replaces the gateway's own Worker, with the same bindings, and `npm run
 * restore` calls it. All other requests are refused, queues and cron do nothing, and the objects only store what they get. So
 * the gateway itself has no route that could overwrite its data.
 */
import type { ImportStep } from '../../durable/backup/exported.ts';
import { bearerToken, secretEqual } from '../auth/tokens/secret-token.ts';
import {
  type DatabaseCopy,
  databaseSteps,
  isEmptyDatabase,
  restoreDatabase,
} from '../backup/database-copy.ts';
import { knownSteps, type ObjectKind } from '../backup/kept-objects.ts';
import { secretMarks } from '../backup/secret-marks.ts';
import { RestoringObject, type SettleStep } from './restoring-object.ts';

export {
  RestoringObject as Account,
  RestoringObject as AuditLog,
  RestoringObject as BridgeFleet,
  RestoringObject as CallbackHost,
  RestoringObject as Campaign,
  RestoringObject as EventLog,
  RestoringObject as Knowledge,
  RestoringObject as PhoneNumber,
  RestoringObject as PhoneRegistry,
  RestoringObject as RequestLog,
  RestoringObject as SignInGuard,
};

interface ObjectOrder {
  kind: ObjectKind;
  name: string;
  steps: (ImportStep | SettleStep)[];
}

const json = (body: unknown, status = 200) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
const refused = (status: number, code: string, message: string) => json({ error: { code, message } }, status);

async function answer(request: Request, env: Env): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith('/operator/restore'))
    return refused(503, 'RESTORING', 'This gateway is being restored from a backup.');
  const token = bearerToken(request.headers.get('Authorization') ?? undefined);
  if (token === null || !secretEqual(token, env.BOOTSTRAP_TOKEN))
    return refused(401, 'UNAUTHENTICATED', 'Only the operator can do this.');
  const path = pathname.slice('/operator/restore'.length);
  if (path === '') return json(await aboutTarget(env));
  // A backup is restored into a gateway that has nothing, and accounts come last of all.
  if (!(await isEmptyDatabase(env.DB)))
    return refused(
      409,
      'CONFLICT',
      'This gateway has accounts already: a backup is restored into an empty one.',
    );
  if (path === '/objects') return json({ answers: await order(env, await request.json<ObjectOrder>()) });
  if (path === '/database') {
    await restoreDatabase(env.DB, await request.json<DatabaseCopy>(), Date.now());
    return json({});
  }
  const file = /^\/files\/(media|archive)\/(.+)$/.exec(path);
  if (file === null) return refused(404, 'NOT_FOUND', 'There is no such route.');
  const bucket = file[1] === 'media' ? env.MEDIA : env.ARCHIVE;
  const about = JSON.parse(
    decodeURIComponent(request.headers.get('X-File-About') ?? '%7B%7D'),
  ) as R2PutOptions;
  await bucket.put(decodeURIComponent(file[2] ?? ''), await request.arrayBuffer(), about);
  return json({});
}

async function aboutTarget(env: Env) {
  const [isEmpty, database] = await Promise.all([isEmptyDatabase(env.DB), databaseSteps(env.DB)]);
  return { isEmpty, steps: { ...knownSteps(), DB: database }, marks: secretMarks(env) };
}

async function order(env: Env, { kind, name, steps }: ObjectOrder): Promise<unknown[]> {
  const namespace = env[kind] as unknown as DurableObjectNamespace<RestoringObject>;
  const object = namespace.getByName(name);
  const answers: unknown[] = [];
  for (const step of steps)
    answers.push(
      await (step.do === 'settle' || step.do === 'held' ? object.settle(step) : object.restore(step)),
    );
  return answers;
}

export default {
  async fetch(request, env) {
    try {
      return await answer(request, env);
    } catch (error) {
      return refused(500, 'INTERNAL', error instanceof Error ? error.message : String(error));
    }
  },
  async queue(batch) {
    batch.retryAll({ delaySeconds: 60 });
  },
  async scheduled() {},
} satisfies ExportedHandler<Env>;
