import { answerJobs } from '../file-process/answer-jobs.ts';
import { previewJobSchema } from './preview.ts';
import { previewOf } from './preview-of.ts';

answerJobs(previewJobSchema, previewOf);
