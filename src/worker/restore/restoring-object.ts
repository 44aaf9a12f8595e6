import { DurableObject } from 'cloudflare:workers';
import type { ImportStep } from '../../durable/backup/exported.ts';
import { importObject } from '../../durable/backup/object-import.ts';
import {
  type AccountSettling,
  type HeldMessages,
  heldByAccount,
  heldByNumber,
  type KnownToLog,
  type Settling,
  settleAccount,
  settleCampaign,
  settleFleet,
  settleKnowledge,
  settleLog,
  settleNumber,
} from '../../durable/backup/settling.ts';
import type { ObjectKind } from '../backup/kept-objects.ts';

/**
 * A step after all objects of an account are restored. First the account and its numbers report which messages they have, then
 * the log reports what it knows. Then all other objects are told both.
 */
export type SettleStep =
  | { do: 'held'; kind: ObjectKind }
  | ({ do: 'settle'; kind: ObjectKind; held?: string[] } & Settling & Partial<AccountSettling>);

type Settled = HeldMessages | KnownToLog | null;

/** Until whoever restores has put the gateway's own Worker in place again. */
const alarmMs = 30_000;

/**
 * Any object while its gateway is being restored: it stores what it gets, and does nothing by itself. Its alarm fires
 * repeatedly until the object has its own code again, which then looks for what is due.
 */
export class RestoringObject extends DurableObject<Env> {
  restore(step: ImportStep): Promise<void> {
    return importObject(this.ctx.storage, step);
  }

  settle(step: SettleStep): Settled {
    const { storage } = this.ctx;
    if (step.do === 'held')
      return step.kind === 'PHONE_NUMBER' ? heldByNumber(storage) : heldByAccount(storage);
    switch (step.kind) {
      case 'PHONE_NUMBER':
        settleNumber(storage, { past: [], ...step });
        return null;
      case 'EVENT_LOG':
        return settleLog(storage, step.held ?? [], step);
      case 'ACCOUNT':
        settleAccount(storage, { underWay: [], past: [], numbers: {}, ...step });
        return null;
      case 'BRIDGE_FLEET':
        settleFleet(storage, step);
        return null;
      case 'CAMPAIGN':
        settleCampaign(storage, step);
        return null;
      case 'KNOWLEDGE':
        settleKnowledge(storage);
        return null;
      default:
        return null;
    }
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + alarmMs);
  }
}
