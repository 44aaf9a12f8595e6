import { z } from 'zod';
import { DeployProblem } from '../deploy-problem.ts';
import { adminSchema, type Deployment } from '../deployment.ts';
import type { CloudflareApi } from './cloudflare-api.ts';

const deploymentsSchema = z.object({
  deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string() })) })),
});
const versionSchema = z.object({
  annotations: z.record(z.string(), z.unknown()).nullish(),
  resources: z.object({
    bindings: z.array(
      z.object({
        type: z.string(),
        name: z.string(),
        class_name: z.string().optional(),
        text: z.string().optional(),
      }),
    ),
  }),
});

/** The version in force; null where there is no Worker. `vars`: its settings. */
async function readVersion(api: CloudflareApi, script: string) {
  const deployments = await api.read(`${script}/deployments`, deploymentsSchema);
  if (deployments === null) return null;
  const [{ version_id: id } = { version_id: null }] = deployments.deployments[0]?.versions ?? [];
  const version = id === null ? null : await api.read(`${script}/versions/${id}`, versionSchema);
  const bindings = version?.resources.bindings ?? [];
  const tag = version?.annotations?.['workers/tag'];
  return {
    tag: typeof tag === 'string' ? tag : null,
    isOurs: bindings.some(({ class_name }) => class_name === 'PhoneNumber'),
    vars: Object.fromEntries(
      bindings.flatMap(({ type, name, text }) =>
        type === 'plain_text' && text !== undefined ? [[name, text]] : [],
      ),
    ),
  };
}

/** The Worker, with all that hangs on it; null where there is none. Throws `DeployProblem` where it is no Heliograph. */
export async function readWorker(api: CloudflareApi, script: string, name: string, takesOver: boolean) {
  const version = await readVersion(api, script);
  if (version === null) return null;
  const [secrets, schedules, subdomain] = await Promise.all([
    api.read(`${script}/secrets`, z.array(z.object({ name: z.string() }))),
    api.read(`${script}/schedules`, z.object({ schedules: z.array(z.object({ cron: z.string() })) })),
    api.read(`${script}/subdomain`, z.object({ enabled: z.boolean() })),
  ]);
  if (!version.isOurs && !takesOver)
    throw new DeployProblem(
      `There is a Worker ${name} in this account that is not Heliograph: choose another name with --name.`,
    );
  return {
    tag: version.tag,
    secrets: new Set((secrets ?? []).map((secret) => secret.name)),
    crons: (schedules?.schedules ?? []).map(({ cron }) => cron),
    isOnWorkersDev: subdomain?.enabled ?? false,
  };
}

/**
 * What a deployment was told, by the settings that its Worker has: for a machine that remembers nothing of it. Null where there is
 * none. `defaults`: the settings of `wrangler.toml`.
 */
export async function recallDeployment(
  api: CloudflareApi,
  accountId: string,
  name: string,
  defaults: Readonly<Record<string, string>>,
): Promise<Pick<Deployment, 'domain' | 'admin' | 'vars'> | null> {
  const version = await readVersion(api, `/accounts/${accountId}/workers/scripts/${name}`);
  if (version === null || !version.isOurs) return null;
  const { PUBLIC_URL, PUBLIC_HOSTS: _, OPERATOR_EMAILS, ...others } = version.vars;
  const url = URL.parse(PUBLIC_URL ?? '');
  if (url === null) return null;
  const admin = adminSchema.safeParse(OPERATOR_EMAILS);
  const vars = Object.entries(others).filter(([setting, value]) => defaults[setting] !== value);
  return {
    domain: url.hostname.endsWith('.workers.dev') ? null : url.hostname,
    admin: admin.success ? admin.data : null,
    vars: {
      ...(OPERATOR_EMAILS !== undefined && !admin.success && { OPERATOR_EMAILS }),
      ...Object.fromEntries(vars),
    },
  };
}
