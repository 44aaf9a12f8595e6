import { BackedUpObject } from './backup/backed-up-object.ts';
import { logFault } from './log.ts';
import type { NamedTimers } from './named-timers.ts';

/** An object that does some of its work by itself, when it is due. */
export abstract class TimedObject extends BackedUpObject {
  protected abstract readonly timers: NamedTimers;

  override alarm(): Promise<void> {
    return this.timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }
}
