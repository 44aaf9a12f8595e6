import { z } from 'zod';

/**
 * What runs in a process of its own for the insides of files: what one of them does to a decoder ends here, and a bridge
 * does nothing else meanwhile. It answers each job with what `work` gives, or with the message of what that throws, and ends
 * with the bridge.
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
