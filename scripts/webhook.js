// `npm run webhook <url>`: registers a webhook of your own at the local gateway, and shows its secret, this once. One that is
// registered already stays as it is and gets a new secret: a second one would bring each event twice.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const home = path.resolve(projectRoot, process.env.HELIOGRAPH_HOME || '.heliograph');
const url = process.argv[2];

try {
  if (url === undefined) throw new Error('Say where: npm run webhook http://127.0.0.1:3000/webhooks');
  await register(url);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function register(url) {
  const { baseUrl, admin, apiKey } = readLocal();
  const route = `${baseUrl}/v1/webhooks`;
  const headers = await credential(baseUrl, admin, apiKey);
  const { data: registered } = await call('GET', `${route}?limit=100`, headers);
  const known = registered.find((one) => one.url === url);
  const { secret } =
    known === undefined
      ? await call('POST', route, headers, { url, numberIds: 'all', events: 'all' })
      : await call('POST', `${route}/${known.id}/rotate-secret`, headers);
  console.log(`
${known === undefined ? `Every event goes to ${url} from now on.` : `${url} is registered already.`} Its secret, shown this once:

  WEBHOOK_SECRET=${secret}

Send a message, and see its events there:

  curl -X POST ${baseUrl}/v1/messages/send -H 'X-API-Key: ${apiKey}' \\
       -H 'Content-Type: application/json' -d '{"to":"15550000002","text":"Hello from curl"}'
`);
}

/** The administrator's; once they have a password of their own, the API key that the start made. */
async function credential(baseUrl, admin, apiKey) {
  if (admin.password === null) return { 'X-API-Key': apiKey ?? '' };
  const { token } = await call('POST', `${baseUrl}/v1/auth/login`, {}, admin);
  return { Authorization: `Bearer ${token}` };
}

function readLocal() {
  try {
    return JSON.parse(readFileSync(path.join(home, 'local.json'), 'utf8'));
  } catch {
    throw new Error(`No gateway is running on ${home}: start it with npm start, in another terminal.`);
  }
}

async function call(method, url, headers, body) {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Error(
      `Nobody answers at ${new URL(url).origin}: start the gateway with npm start, in another terminal.`,
    );
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const details = (answer.error.details ?? []).map(({ path, message }) => ` ${path}: ${message}`);
  throw new Error(`${answer.error.message}${details.join('')}`);
}
