import { DeployProblem } from '../deploy-problem.ts';
import type { Ask } from '../questions.ts';
import type { Surroundings } from '../surroundings.ts';
import { CloudflareApi, credentialSchema } from './cloudflare-api.ts';

/** By the token in the environment, or as who has signed in with wrangler; at a terminal it signs in itself. */
export async function signIn(
  { wrangler, environment, terminal }: Surroundings,
  ask: Ask,
): Promise<CloudflareApi> {
  const baseUrl = environment.CLOUDFLARE_API_BASE_URL || 'https://api.cloudflare.com/client/v4';
  const { CLOUDFLARE_API_TOKEN: given } = environment;
  // As wrangler would, without the second that its start takes.
  if (given) return new CloudflareApi({ Authorization: `Bearer ${given}` }, baseUrl);
  const token = () => wrangler.run(['auth', 'token', '--json']);
  let credentialJson = await token().catch((error) => {
    if (!/not logged in|expired/i.test(error.message)) throw error;
    return null;
  });
  if (credentialJson === null) {
    const how =
      'Nobody is signed in to Cloudflare here: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.';
    if (ask === null) throw new DeployProblem(how);
    terminal.text('Signing in to Cloudflare, in your browser …');
    if (!(await wrangler.talk(['login']))) throw new DeployProblem(how);
    credentialJson = await token();
  }
  const credential = credentialSchema.parse(JSON.parse(credentialJson));
  return new CloudflareApi(credential, baseUrl);
}
