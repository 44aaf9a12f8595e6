import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploymentSecrets, localName } from '../backup/secret-names.ts';
import { DeployProblem } from '../deploy/deploy-problem.ts';
import type { Surroundings } from '../deploy/surroundings.ts';
import { writePrivateJson } from '../local/home/private-file.ts';
import { type LocalSecrets, secretsOf } from '../local/home/secrets.ts';
import { readSettings, StartProblem } from '../local/settings.ts';
import { previousOf, replacedAtOf, secretNames, type Target } from './target.ts';

const answerWithinMs = 60_000;
/** What the command may change; the rest of the file stays as it is. */
const ownNames = secretNames.flatMap((name) => [name, previousOf(name), replacedAtOf(name)]);

/** The secrets of a state folder: the gateway has them from its next start on, and goes on with what it has until then. */
export function homeTarget({ environment, fetch }: Surroundings): Target {
  const { home } = settingsOf(environment);
  const file = join(home, 'secrets.json');
  const inFile = (): LocalSecrets => {
    if (!existsSync(file))
      throw new DeployProblem(
        `There is no gateway in ${home}: HELIOGRAPH_HOME names the state folder. Of a deployment: --env production.`,
      );
    return checked(() => secretsOf(home));
  };
  return {
    isSpreadOut: false,
    read: () => deploymentSecrets(inFile()),
    write: (secrets) => {
      const kept = Object.entries(inFile()).filter(
        ([name]) => !ownNames.some((own) => localName(own) === name),
      );
      const own = ownNames.flatMap((name) => {
        const value = secrets[name];
        if (value === undefined) return [];
        return [
          [localName(name), name.startsWith('JWT_') && !name.endsWith('_AT') ? JSON.parse(value) : value],
        ];
      });
      writePrivateJson(file, Object.fromEntries([...kept, ...own]));
    },
    apply: async () => undefined,
    ask: (path) => askRunning(home, inFile().bootstrapToken, path, fetch),
    afterwards: () => [
      'The gateway takes it at its next start: stop it and start it again. What it has accepted stays.',
    ],
    command: (name) => `npm run rotate -- ${name}`,
  };
}

async function askRunning(home: string, token: string, path: string, ask: typeof fetch): Promise<unknown> {
  try {
    const { baseUrl } = JSON.parse(readFileSync(join(home, 'local.json'), 'utf8')) as { baseUrl: string };
    const answer = await ask(`${baseUrl}${path}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return await answer.json();
  } catch {
    return null;
  }
}

const settingsOf = (environment: NodeJS.ProcessEnv) => checked(() => readSettings(environment));

function checked<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof StartProblem ? new DeployProblem(error.message) : error;
  }
}
