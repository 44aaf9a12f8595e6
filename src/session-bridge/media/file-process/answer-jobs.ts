import { z } from 'zod';

/**
 * The main loop of a separate process that examines files. If a file crashes a decoder, only this process ends, and the bridge
 * is not blocked. It responds to each job with the result of `work`, or with the message of its error, and ends with the
 * bridge.
 */
export function answerJobs<Job>(jobSchema: z.ZodType<Job>, work: (job: Job) => Promise<unknown>): void {
  const askedSchema = z.strictObject({ id: z.int(), job: jobSchema });
  process.on('message', async (message) => {
    const { id, job } = askedSchema.parse(message);
    const answer = await work(job).then(
      (result) => ({ id, result }),
      (error) => ({ id, problem: error instanceof Error ? error.message : String(error) }),
    );
    process.send?.(answer);
  });
  process.once('disconnect', () => process.exit());
}
