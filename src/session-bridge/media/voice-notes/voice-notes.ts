import { rm } from 'node:fs/promises';
import type { Log } from '../../logging.ts';
import { FileProcess } from '../file-process/file-process.ts';
import { SealedBytes, type SealedPlace } from '../sealed-bytes.ts';
import { type VoiceJob, type VoiceNote, type VoiceResult, voiceResultSchema } from './voice-job.ts';

/** How long one file may take. The longest allowed file takes less than half a minute of CPU. */
const jobMs = 3 * 60_000;
const heapMebibytes = 128;
/** The header of Opus is in the first page of an Ogg file. */
const headBytes = 4_096;

/** A file cannot be sent as a voice note, and trying again does not help. The message is a sentence for a person. */
export class NoVoiceNote extends Error {}

const noVoiceNote = (because: string) => new NoVoiceNote(`The file cannot be made a voice note: ${because}.`);

/** Voice notes of other sound, one at a time, made by a process that runs while there are any to make. */
export class VoiceNotes {
  readonly #log: Log;
  readonly #process = new FileProcess<VoiceJob, VoiceResult>({
    script: new URL('./voice-process.ts', import.meta.url),
    result: voiceResultSchema,
    jobMs,
    heapMebibytes,
  });

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Runs `work` with a voice note that is made from the file and removed afterwards. Throws {@link NoVoiceNote} if none can be
   * made from it.
   */
  async with<Result>(
    source: SealedPlace,
    work: (note: VoiceNote & { path: string }) => Promise<Result>,
  ): Promise<Result> {
    const path = `${source.path}.ogg`;
    try {
      return await work({ path, ...(await this.#make({ source, path })) });
    } finally {
      await rm(path, { force: true });
    }
  }

  close(): void {
    this.#process.close();
  }

  async #make(job: VoiceJob): Promise<VoiceNote> {
    const startedAt = performance.now();
    const outcome = await this.#process.do(job);
    const ms = Math.round(performance.now() - startedAt);
    if ('lost' in outcome) {
      this.#log.warn({ problem: outcome.lost, ms }, 'media.no_voice_note');
      if (outcome.lost === 'too slow') throw noVoiceNote('it took too long');
      throw new Error('the file could not be made a voice note');
    }
    if ('problem' in outcome || 'because' in outcome.result) {
      const { problem } = outcome as { problem?: string };
      const because = 'result' in outcome && 'because' in outcome.result ? outcome.result.because : null;
      this.#log.info({ problem: problem ?? because, ms }, 'media.no_voice_note');
      throw noVoiceNote(because ?? 'its sound cannot be decoded');
    }
    return outcome.result;
  }
}

/** Throws {@link NoVoiceNote} if the Ogg file contains anything but Opus, which phones would not play. */
export async function assertOpus(place: SealedPlace): Promise<void> {
  const file = await SealedBytes.open(place);
  try {
    const head = await file.read(0, Math.min(headBytes, file.length));
    if (!head.includes('OpusHead')) throw noVoiceNote('in its Ogg there is no Opus');
  } finally {
    await file.close();
  }
}
