import { WorkerEntrypoint } from 'cloudflare:workers';
import { runTurn } from './run-turn.ts';

/**
 * Handles turns for an account's log. Each call is an invocation of its own, which ends when its model has answered, or has had
 * its time: no other turn waits for it. Stores nothing.
 */
export class TurnRunner extends WorkerEntrypoint<Env> {
  async run(accountId: string, turnId: string): Promise<void> {
    const handled = runTurn(this.env, accountId, turnId);
    // If the log is stopped meanwhile, as a deployment does, the turn has half a minute left.
    this.ctx.waitUntil(handled.catch(() => {}));
    await handled;
  }
}
