import type { NumberDownFrame } from '../../../contract/bridge/bridge-frames.ts';
import { isDue } from '../../due-times.ts';
import { log, logFault } from '../../log.ts';
import { NamedTimers } from '../../named-timers.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { migrateObject } from '../../storage/object-migrations.ts';
import { TimedObject } from '../../timed-object.ts';
import { FactIntake } from '../bridge/fact-intake.ts';
import type { Device } from '../device/device.ts';
import { GroupVerbs } from '../groups/group-queries.ts';
import { phoneNumberMigrations } from '../migrations.ts';
import { assembleNumber, type NumberParts, reloadNumber } from '../number-parts.ts';
import { upkeepTimers } from '../upkeep.ts';

export type Done = { ok: true };
const done: Done = { ok: true };

/** What verbs are added to: the compiler takes no narrower constructor for that. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type NumberClass = new (...parameters: any[]) => NumberObject;

/** The object beneath the verbs: its parts, its timers, and what follows a change. */
export class NumberObject extends TimedObject {
  protected readonly parts: NumberParts;
  protected readonly intake: FactIntake;
  protected readonly groupVerbs: GroupVerbs;
  protected readonly timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, phoneNumberMigrations);
    const parts = assembleNumber(ctx, env);
    this.parts = parts;
    this.intake = new FactIntake(parts, {
      storage: ctx.storage,
      instruct: () => this.instruct(),
      onTaken: () => this.settle(true),
      onSessionOver: () => ctx.waitUntil(this.askFleet()),
    });
    this.groupVerbs = new GroupVerbs({
      ...parts,
      commit: (change) => {
        this.commit(change);
        this.settle(true);
      },
    });
    this.timers = new NamedTimers(
      ctx.storage,
      upkeepTimers(parts, {
        storage: ctx.storage,
        settle: () => this.settle(true),
        noteLinkLoss: () => this.noteLinkLoss(),
        instruct: () => this.instruct(),
      }),
    );
    // A crash of the runtime takes the sockets without a close: note it, so that the grace has a beginning.
    this.noteLinkLoss();
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  /**
   * After a commit: sends messages to the bridge and back, facts to the log, and sets the alarm. Within a call of the account,
   * the account is not called back; the alarm does it later.
   */
  protected settle(mayTell = false): void {
    const { outbox, dispatch, returns, news, device } = this.parts;
    if (!device.current) return;
    const now = Date.now();
    dispatch.hand(device.current, now);
    news.notice(now);
    returns.run(device.current, now);
    this.#runMedia(now);
    if (!outbox.isEmpty) this.ctx.waitUntil(outbox.flush());
    if (mayTell) this.ctx.waitUntil(news.tell());
    this.timers.arm();
  }

  /** What waits for its file is told, and the file asked for. */
  #runMedia(now: number): void {
    const { inboundMedia, link } = this.parts;
    if (!isDue(inboundMedia.dueAt(), now)) return;
    let frames: NumberDownFrame[] = [];
    this.commit(() => {
      inboundMedia.tell(now);
      frames = inboundMedia.toAsk(now);
    });
    for (const frame of frames) link.send(frame);
  }

  protected commit<Result>(change: () => Result): Result {
    return inTransaction(this.ctx.storage, change, () => reloadNumber(this.parts));
  }

  /** Changes what is wanted of the session, and sees to it that a bridge knows. */
  protected async steer(next: Device): Promise<Done> {
    const linkLostAt = next.desired === 'none' || this.parts.link.socket ? null : Date.now();
    this.parts.device.change({ ...next, linkLostAt }, Date.now());
    await this.instruct();
    const asked = this.askFleet();
    this.settle();
    await asked;
    return done;
  }

  /**
   * Tells a bridge that has caught up what the session is to do. Another bridge is told when it is ready. Never throws:
   * unreadable settings are repaired by sending them again.
   */
  protected async instruct(): Promise<void> {
    const { device, link, session, queue } = this.parts;
    if (!device.current || !link.ready) return;
    try {
      const frame = await session.instruction(device, queue.recipientsAtOthers(link.ready.bridgeId));
      if (frame && link.ready) link.send(frame);
    } catch (error) {
      logFault('session.not_instructed', error, { numberId: device.known.numberId });
    }
  }

  /** What the fleet could not be told now is told by a timer. Never throws. */
  protected async askFleet(): Promise<void> {
    try {
      await this.parts.lease.tell();
    } catch (error) {
      logFault('fleet.not_told', error, { numberId: this.parts.device.known.numberId });
      this.timers.arm();
    }
  }

  protected noteLinkLoss(): void {
    const device = this.parts.device.current;
    if (!device || device.desired === 'none' || device.linkLostAt !== null || this.parts.link.socket) return;
    this.parts.device.note({ ...device, linkLostAt: Date.now() });
    log('link.lost', { numberId: device.numberId });
  }
}
