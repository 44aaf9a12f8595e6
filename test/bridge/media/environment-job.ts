import { z } from 'zod';
import { answerJobs } from '../../../src/session-bridge/media/file-process/answer-jobs.ts';

/** Asked for its own id it gives that; else a variable of its environment. */
answerJobs(z.string(), async (name) =>
  name === 'process id' ? String(process.pid) : (process.env[name] ?? 'nothing'),
);
