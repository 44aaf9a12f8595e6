import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fleetRegionNames } from '../contract/bridge/bridge-token.ts';
import { isTokenText, noTokenText } from '../settings/secrets.ts';
import { ConfigError, socketOrigin } from './config.ts';
import {
  askForToken,
  type BridgeWishes,
  EnrolmentRefused,
  makeEnrolmentToken,
  RegionRefused,
} from './edge/enrolment.ts';
import { JournalDatabase } from './journal/database.ts';
import { errorText } from './logging.ts';

/** Why a bridge was not enrolled: one sentence for the operator. */
export class EnrolError extends Error {}

type Env = Record<string, string | undefined>;

const usage = `npm run bridge:enrol -- --url <gateway> --home <folder> [--name <name>] [--region <region>]

Lets the session bridge of this machine in at a gateway, and keeps its credential in its folder, for its owner alone.

  --url <gateway>     the gateway's address, such as https://gateway.example.com; else GATEWAY_URL
  --home <folder>     the bridge's folder, which outlives its process; else BRIDGE_HOME
  --name <name>       what the list of bridges is to call it; only with BOOTSTRAP_TOKEN
  --region <region>   whose numbers it is to drive: one of the gateway's FLEET_REGIONS, such as weur; left out, those of
                      no region. Only with BOOTSTRAP_TOKEN

What it needs to be let in comes from the environment, since others of the machine see what stands in a command:
BRIDGE_ENROLMENT_TOKEN, the one-time token that the operator has made for it, or BOOTSTRAP_TOKEN, with which this makes one
itself. Where neither is set, the one-time token is asked for.
`;

interface Wishes extends BridgeWishes {
  gatewayUrl: string;
  home: string;
}

/**
 * What `npm run bridge:enrol` does. Returns the text for the operator. If the bridge of this folder is already enrolled,
 * nothing changes. Throws {@link EnrolError}.
 */
export async function enrolBridge(
  args: readonly string[],
  env: Env,
  askOperator: (question: string) => Promise<string>,
): Promise<string> {
  const wishes = wishesOf(args, env);
  if (wishes === 'help') return usage;
  const db = openJournal(wishes.home);
  try {
    if (db.meta('token') !== null)
      return `The bridge in ${wishes.home} was let in before, as ${db.bridgeId}: nothing was changed.\n\n${startOf(wishes)}`;
    const enrolmentToken = await enrolmentTokenOf(wishes, env, askOperator);
    const token = await refusedAs(
      'The enrolment token lets no bridge in: it is wrong, too old, or was used by another bridge.',
      wishes,
      () => askForToken(wishes.gatewayUrl, enrolmentToken, db.bridgeId),
    );
    db.setMeta('token', token);
    return `The gateway has let this bridge in, as ${db.bridgeId}. Its credential is in ${wishes.home}.\n\n${startOf(wishes)}`;
  } finally {
    db.close();
  }
}

function wishesOf(args: readonly string[], env: Env): Wishes | 'help' {
  const { url, home = env.BRIDGE_HOME, name, region, help } = optionsOf(args);
  if (help) return 'help';
  if (!home) throw new EnrolError('Say where the bridge lives: --home /var/lib/heliograph-bridge.');
  if (!(url ?? env.GATEWAY_URL))
    throw new EnrolError('Say which gateway it is for: --url https://gateway.example.com.');
  checkWishes({ name, region }, env);
  try {
    const gatewayUrl = socketOrigin({ ...env, GATEWAY_URL: url ?? env.GATEWAY_URL });
    return { gatewayUrl, home: resolve(home), name: name ?? null, region: region ?? null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new EnrolError(error.message.replace('GATEWAY_URL', url === undefined ? 'GATEWAY_URL' : '--url'));
  }
}

/** Name and region go into the one-time token that is created here. They cannot be set in an existing token. */
function checkWishes({ name, region }: { name?: string | undefined; region?: string | undefined }, env: Env) {
  const isKnown = region === undefined || fleetRegionNames.some((known) => known === region);
  if (!isKnown) throw new EnrolError(`--region must be one of ${fleetRegionNames.join(', ')}.`);
  if (env.BOOTSTRAP_TOKEN) return;
  if (name !== undefined)
    throw new EnrolError(
      '--name needs BOOTSTRAP_TOKEN in the environment: a token that was made already has its name.',
    );
  if (region !== undefined)
    throw new EnrolError(
      '--region needs BOOTSTRAP_TOKEN in the environment: a token that was made already has its region.',
    );
}

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const help = { type: 'boolean', short: 'h' } as const;
  const options = { url: text, home: text, name: text, region: text, help };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new EnrolError(`${errorText(error)}\n\n${usage}`);
  }
}

function openJournal(home: string): JournalDatabase {
  try {
    return new JournalDatabase(home, () => undefined);
  } catch (error) {
    throw new EnrolError(`The folder ${home} cannot be used: ${errorText(error)}.`);
  }
}

async function enrolmentTokenOf(
  wishes: Wishes,
  env: Env,
  askOperator: (question: string) => Promise<string>,
): Promise<string> {
  const { BRIDGE_ENROLMENT_TOKEN: oneTime, BOOTSTRAP_TOKEN: operatorToken } = env;
  if (operatorToken && !isTokenText(operatorToken)) throw new EnrolError(`BOOTSTRAP_TOKEN ${noTokenText}.`);
  if (operatorToken)
    return refusedAs("BOOTSTRAP_TOKEN is not this gateway's.", wishes, () =>
      makeEnrolmentToken(wishes.gatewayUrl, operatorToken, wishes),
    );
  const token = oneTime || (await askOperator('One-time token of the new bridge (hbe_…): '));
  if (token === '')
    throw new EnrolError(
      'Without a token no bridge is let in: set BRIDGE_ENROLMENT_TOKEN, or paste it here.',
    );
  if (!isTokenText(token)) throw new EnrolError(`The one-time token ${noTokenText}.`);
  return token;
}

async function refusedAs(
  sentence: string,
  { gatewayUrl, region }: Wishes,
  ask: () => Promise<string>,
): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EnrolmentRefused) throw new EnrolError(sentence);
    if (error instanceof RegionRefused)
      throw new EnrolError(
        `${gatewayUrl.replace(/^ws/, 'http')} has no fleet in ${region}: its FLEET_REGIONS does not name that region.`,
      );
    const { cause = error } = error as { cause?: unknown };
    const reason = errorText(cause).replace(/\.$/, '');
    throw new EnrolError(`${gatewayUrl.replace(/^ws/, 'http')} did not let it in: ${reason}.`);
  }
}

const startOf = ({ gatewayUrl, home }: Wishes) => `Start it from this folder:

  GATEWAY_URL=${gatewayUrl.replace(/^ws/, 'http')} BRIDGE_HOME=${shellWord(home)} NETWORK=whatsapp VAULT_KEY=… \\
    npm run bridge

VAULT_KEY is that of your other bridges, which the gateway never has; for the first one make it: openssl rand -base64 32
`;

const shellWord = (text: string) => (/^[\w/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
