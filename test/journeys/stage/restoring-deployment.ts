import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorker, restoreEntry } from '../../../src/local/gateway/worker-build.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { freePorts } from '../../free-ports.ts';
import { waitUntil } from '../../wait-until.ts';

/**
 * A deployment that waits for its backup: the Worker that takes one, by its address and with the secrets of a deployment, over an
 * empty state, which a gateway can be started on afterwards.
 */
export class RestoringDeployment {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(home: string, secrets: Record<string, string>): Promise<RestoringDeployment> {
    const { folder } = await buildWorker(projectRoot, restoreEntry);
    const { port } = await freePorts();
    const [state, scratch] = [join(home, 'gateway'), join(home, 'scratch')];
    for (const path of [state, scratch]) mkdirSync(path, { recursive: true });
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'src/local/gateway/gateway.ts'],
      {
        cwd: projectRoot,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          ...secrets,
          PORT: String(port),
          HOST: '127.0.0.1',
          GATEWAY_STATE: state,
          GATEWAY_SCRATCH: scratch,
          WORKER_BUILD: folder,
          PROJECT_ROOT: projectRoot,
          WRANGLER_LOG: 'none',
        },
      },
    );
    const deployment = new RestoringDeployment(`http://127.0.0.1:${port}`, child);
    try {
      await waitUntil('It does not answer', async () => {
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
        const answer = await fetch(`${deployment.url}/healthz`).catch(() => null);
        await answer?.body?.cancel();
        return answer === null ? null : true;
      });
    } catch (error) {
      await deployment.stop();
      throw error;
    }
    return deployment;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
