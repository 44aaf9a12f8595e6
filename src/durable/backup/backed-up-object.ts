import { DurableObject } from 'cloudflare:workers';
import type { ExportAnswer, ExportStep } from './exported.ts';
import { exportObject } from './object-export.ts';

/** An object that a backup holds. */
export abstract class BackedUpObject extends DurableObject<Env> {
  /** For the operator's backup alone: see {@link exportObject}. */
  backUp(step: ExportStep): Promise<ExportAnswer> {
    return exportObject(this.ctx.storage, step);
  }
}
