import type { TestProject } from 'vitest/node';
import { startModelServer } from '../model-server/model-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `baseUrl` of a stand-in for the server of a model. */
    modelServerUrl: string;
  }
}

/** In Node, for tests that run in workerd. */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startModelServer();
  project.provide('modelServerUrl', url);
  return stop;
}
