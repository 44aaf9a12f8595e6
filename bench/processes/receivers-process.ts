import { fileURLToPath } from 'node:url';
import { AskedProcess } from './asking.ts';
import type { ReceiverAnswer, ReceiverQuestion } from './receiver-questions.ts';

const entry = fileURLToPath(new URL('./receivers.ts', import.meta.url));

/** Receivers in a process of their own, so that nothing else delays the noting of an arrival. */
export const startReceiversProcess = () => new AskedProcess<ReceiverQuestion, ReceiverAnswer>(entry);
