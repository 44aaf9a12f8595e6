import { fileURLToPath } from 'node:url';
import { AskedProcess } from './asking.ts';
import type { LoadOrder, LoadReport } from './load-order.ts';

const entry = fileURLToPath(new URL('./load-generator.ts', import.meta.url));

/** The load generator in a process of its own, so that it shares no event loop with what it loads. */
export const startLoadProcess = () => new AskedProcess<LoadOrder, LoadReport>(entry);
