import { fileURLToPath } from 'node:url';
import { AskedProcess } from './asking.ts';
import type { SimulatorAnswer, SimulatorQuestion } from './simulator-questions.ts';

const entry = fileURLToPath(new URL('./simulator.ts', import.meta.url));

/** The simulator in a process that can be asked when it acknowledged what. */
export const startSimulatorProcess = () => new AskedProcess<SimulatorQuestion, SimulatorAnswer>(entry);
