import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadReport } from './load-order.ts';

const entry = fileURLToPath(new URL('./load-generator.ts', import.meta.url));

/** The load generator in a process of its own, so that it shares no event loop with what it loads. */
export interface LoadProcess {
  load(order: LoadOrder): Promise<LoadReport>;
  stop(): void;
}

export function startLoadProcess(): LoadProcess {
  const child = fork(entry, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  return {
    load: (order) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error('The load generator ended.'));
        child.once('exit', ended);
        child.once('message', (answer: LoadReport | { error: string }) => {
          child.off('exit', ended);
          if ('error' in answer) reject(new Error(answer.error));
          else resolve(answer);
        });
        child.send(order);
      }),
    stop: () => child.disconnect(),
  };
}
