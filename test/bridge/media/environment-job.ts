import { z } from 'zod';
import { answerJobs } from '../../../src/session-bridge/media/file-process/answer-jobs.ts';

answerJobs(z.string(), async (name) => process.env[name] ?? 'nothing');
