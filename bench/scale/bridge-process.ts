import { fileURLToPath } from 'node:url';
import { AskedProcess } from '../processes/asking.ts';
import type { BridgeAnswer, BridgeQuestion } from './bridge-questions.ts';

const entry = fileURLToPath(new URL('./simulated-bridge.ts', import.meta.url));

/** A bridge without a network behind it, in a process of its own. */
export const startBridgeProcess = () => new AskedProcess<BridgeQuestion, BridgeAnswer>(entry);
