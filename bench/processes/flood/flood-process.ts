import { fileURLToPath } from 'node:url';
import { AskedProcess } from '../asking.ts';
import type { FloodOrder, FloodReport } from './flood-order.ts';

const entry = fileURLToPath(new URL('./flood-generator.ts', import.meta.url));

/** The flood in a process of its own, so that it shares no event loop with what it floods. */
export const startFloodProcess = () => new AskedProcess<FloodOrder, FloodReport>(entry);
