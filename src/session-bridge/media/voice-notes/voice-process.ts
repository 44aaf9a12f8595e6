import { setPriority } from 'node:os';
import { answerJobs } from '../file-process/answer-jobs.ts';
import { makeVoiceNote } from './make-voice-note.ts';
import { voiceJobSchema } from './voice-job.ts';

/** Behind the bridge, which has messages to carry. */
const niceness = 10;

setPriority(niceness);
answerJobs(voiceJobSchema, makeVoiceNote);
