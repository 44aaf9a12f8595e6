import { buildWorker } from '../../../src/local/gateway/worker-build.ts';
import { projectRoot } from '../../../src/local/project-root.ts';

/** Builds the Worker once: the first gateways start side by side, and each would build it for itself. */
export default async function buildOnce(): Promise<void> {
  await buildWorker(projectRoot);
}
