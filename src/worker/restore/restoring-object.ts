import { DurableObject } from 'cloudflare:workers';
import type { ImportStep } from '../../durable/backup/exported.ts';
import { importObject } from '../../durable/backup/object-import.ts';
import {
  type Settling,
  settleAccount,
  settleCampaign,
  settleFleet,
  settleKnowledge,
  settleLog,
  settleNumber,
} from '../../durable/backup/settling.ts';
import type { OutboundRecord } from '../../durable/event-log/facts.ts';
import type { ObjectKind } from '../backup/kept-objects.ts';

/** Once all objects of an account are there. `underWay` and `atNumbers`: of an account's own object alone. */
export type SettleStep = { do: 'settle'; kind: ObjectKind } & Settling & {
    underWay?: OutboundRecord[];
    atNumbers?: string[];
  };

/** Until whoever restores has put the gateway's own Worker in place again. */
const alarmMs = 30_000;

/**
 * Any object while its gateway is restored: it takes what it is given, and does nothing of its own. Its alarm goes on ringing
 * until it is the object that it was: that then looks what is due.
 */
export class RestoringObject extends DurableObject<Env> {
  restore(step: ImportStep): Promise<void> {
    return importObject(this.ctx.storage, step);
  }

  /** Of a log the messages that are under way, of a number the ids of those that it has. */
  settle(step: SettleStep): OutboundRecord[] | string[] | null {
    const { storage } = this.ctx;
    switch (step.kind) {
      case 'PHONE_NUMBER':
        return settleNumber(storage, step);
      case 'EVENT_LOG':
        return settleLog(storage);
      case 'ACCOUNT':
        settleAccount(storage, { underWay: [], atNumbers: [], ...step });
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
