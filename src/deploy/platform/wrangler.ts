import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { problemOfWrangler } from '../deploy-problem.ts';

/** Runs the `wrangler` of this project. */
export interface Wrangler {
  /** Without a terminal, in the environment and `more`. Answers what it wrote to standard output; throws `DeployProblem` where it fails. */
  run(args: readonly string[], more?: NodeJS.ProcessEnv): Promise<string>;
  /** In this terminal, for a dialogue; answers whether it ended well. */
  talk(args: readonly string[]): Promise<boolean>;
}

/** In the folder of the project, where its configuration is; `packages`: where wrangler is installed. */
export function wranglerIn(
  projectRoot: string,
  environment: NodeJS.ProcessEnv,
  packages = join(projectRoot, 'node_modules'),
): Wrangler {
  const path = join(packages, 'wrangler', 'bin', 'wrangler.js');
  // A name of an environment would be looked for in the configuration, which has none.
  const { CLOUDFLARE_ENV: _, ...env } = environment;
  const start = (args: readonly string[], stdio: 'inherit' | 'pipe', more: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, ...args], {
      cwd: projectRoot,
      env: { ...env, ...more },
      stdio: [stdio === 'pipe' ? 'ignore' : stdio, stdio, stdio],
    });
  return {
    run: (args, more) =>
      new Promise((resolve, reject) => {
        // With CI set it asks nothing, whatever it takes its surroundings for.
        const child = start(args, 'pipe', { CI: 'true', NO_COLOR: '1', ...more });
        let [output, errors] = ['', ''];
        child.stdout?.on('data', (chunk) => {
          output += chunk;
        });
        child.stderr?.on('data', (chunk) => {
          errors += chunk;
        });
        child.on('error', reject);
        child.on('close', (code) => {
          if (code === 0) resolve(output);
          else
            reject(
              problemOfWrangler(
                args.slice(0, args[0] === 'deploy' ? 1 : 2).join(' '),
                `${output}\n${errors}`,
              ),
            );
        });
      }),
    talk: (args) =>
      new Promise((resolve, reject) => {
        const child = start(args, 'inherit');
        child.on('error', reject);
        child.on('close', (code) => resolve(code === 0));
      }),
  };
}
