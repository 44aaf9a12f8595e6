import type { Log } from '../../logging.ts';
import { FileProcess } from '../file-process/file-process.ts';
import { type Preview, type PreviewJob, previewSchema } from './preview.ts';

/** How long one file may take. Then its process is killed, and the file is sent without a preview. */
const jobMs = 8_000;
/** If this many wait, further files are sent without a preview. */
const waitingMax = 50;
const heapMebibytes = 128;

/** Previews of files that are sent, one at a time, made by a process that runs while there are any. */
export class Previews {
  readonly #log: Log;
  readonly #process = new FileProcess<PreviewJob, Preview>({
    script: new URL('./preview-process.ts', import.meta.url),
    result: previewSchema,
    jobMs,
    waitingMax,
    heapMebibytes,
  });

  constructor(log: Log) {
    this.#log = log;
  }

  /** What was found; nothing if that fails or takes too long. */
  async of(job: PreviewJob): Promise<Preview> {
    const outcome = await this.#process.do(job);
    if ('result' in outcome) return outcome.result;
    const { kind } = job;
    if ('problem' in outcome) this.#log.info({ kind, problem: outcome.problem }, 'media.no_preview');
    else this.#log.warn({ kind, problem: outcome.lost }, 'media.no_preview');
    return {};
  }

  close(): void {
    this.#process.close();
  }
}
