import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '../../../src/network-simulator/start-simulator.ts';

export type RunningSimulator = Simulator & { adminUrl: string; socketUrl: string; home: string };

/** A simulator in this process, on free ports, with a folder of its own that goes with it. */
export async function runSimulator(): Promise<RunningSimulator> {
  const home = mkdtempSync(join(tmpdir(), 'simulator-'));
  const simulator = await startSimulator({ port: 0, tlsPort: 0, home });
  return {
    ...simulator,
    home,
    adminUrl: `http://127.0.0.1:${simulator.port}`,
    socketUrl: `ws://127.0.0.1:${simulator.port}/ws/chat`,
    close: async () => {
      await simulator.close();
      rmSync(home, { recursive: true });
    },
  };
}

let given = 0;

/** A phone number that no other test of this file uses. */
export function freshPhone(): string {
  given += 1;
  return `62813${String(given).padStart(8, '0')}`;
}
