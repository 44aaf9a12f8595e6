import { z } from 'zod';
import { previewJobSchema } from './preview.ts';
import { previewOf } from './preview-of.ts';

/**
 * A process of its own for what is done with the insides of files: what one of them does to a decoder ends here, and a
 * bridge does nothing else meanwhile. It answers each job, and ends with the bridge.
 */
const askedSchema = z.strictObject({ id: z.int(), job: previewJobSchema });

process.on('message', async (message) => {
  const { id, job } = askedSchema.parse(message);
  const answer = await previewOf(job).then(
    (preview) => ({ id, preview }),
    (error) => ({ id, preview: {}, problem: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(answer);
});
process.once('disconnect', () => process.exit());
