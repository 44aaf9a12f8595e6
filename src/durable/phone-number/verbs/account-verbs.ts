import type { NetworkQuery, QueryOf } from '../../../contract/bridge/network-queries.ts';
import type { StoredSessionSettings } from '../../../contract/bridge/session-settings.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { Group } from '../../../contract/numbers/group.ts';
import type { Pacing } from '../../../contract/numbers/sender-settings.ts';
import type { FleetRegion } from '../../bridge-fleet/fleet-of.ts';
import type { BatchTaken, MessageBatch } from '../../hand-over/message-batch.ts';
import type { Health } from '../../hand-over/number-news.ts';
import { newDevice } from '../device/device.ts';
import type { GroupVerb } from '../groups/group-queries.ts';
import type { HealthChange } from '../health/sender-health.ts';
import type { Forecast, ForecastRequest, Outlook } from '../queue/turn.ts';

import type { NumberClass } from './number-object.ts';

/** What the account asks of its number. */
export function accountVerbs<Base extends NumberClass>(base: Base) {
  return class extends base {
    /** Makes this object the number's. Repeating it changes nothing. */
    provision(input: { accountId: string; numberId: string; region?: FleetRegion }): void {
      if (this.parts.device.current) return;
      this.parts.device.change(newDevice(input.accountId, input.numberId, input.region ?? null), Date.now());
      this.settle();
    }

    /**
     * Stores the messages of a batch, in one transaction. From then on each ends in `sent` or better, in `failed`, or back at
     * the account. A repeated batch changes nothing. A deleted number returns everything, and a number that was never created
     * takes nothing.
     */
    take({ batchNumber, messages }: MessageBatch): BatchTaken {
      const { device, batches, queue, capacity, housekeeping, dispatch } = this.parts;
      if (device.current === null) return { takenUpTo: 0, room: 0, dailyRemaining: null };
      const { known } = device;
      if (batchNumber > batches.takenUpTo) {
        const frame = this.commit(() => {
          batches.noteTaken(batchNumber);
          housekeeping.begin(Date.now());
          queue.add(messages);
          const leaving = dispatch.handOver(known, Date.now());
          queue.storeAdded();
          return leaving;
        });
        dispatch.send(frame);
        // What a deleted number was given goes back at once.
        this.settle();
      }
      const now = Date.now();
      const room = capacity.room(device.known, now);
      batches.noteRoomTold(room);
      return {
        takenUpTo: batches.takenUpTo,
        room,
        dailyRemaining: capacity.dailyRemaining(device.known, now),
      };
    }

    /** Why a message of this queue waits, and when it is expected to leave; null for one that is not here. */
    outlook(messageId: string): Outlook | null {
      const { device, queue, dispatch } = this.parts;
      const message = queue.find(messageId);
      return message && device.current ? dispatch.outlook(message, device.current, Date.now()) : null;
    }

    /** Whether a deletion of this message is here; where there was one, the log knows what came of it, or the account has it. */
    hasDeletionOf(targetId: string): boolean {
      const { queue, notes } = this.parts;
      return queue.hasDeletionOf(targetId) || notes.returnsDeletionOf(targetId);
    }

    /** When a message to this recipient would leave if it came now behind `ahead` others, and what would make it wait. */
    forecast({
      recipient,
      isNewChat,
      isAnswer = false,
      lane = 'campaign',
      ahead,
    }: ForecastRequest): Forecast {
      const { device, dispatch } = this.parts;
      const message = { isNewChat, isAnswer, hasBeenHanded: false };
      return dispatch.expect(
        message,
        recipient,
        ahead + dispatch.waitingBefore(lane),
        device.known,
        Date.now(),
      );
    }

    /**
     * Asks the network whether it knows a phone number, and by which digits. Refused while the network cannot be asked, or when
     * it does not answer.
     */
    async checkRecipient(
      phoneNumber: string,
    ): Promise<{ ok: true; onNetwork: boolean; address?: string } | Refusal> {
      const asked = await this.parts.queries.ask({ verb: 'contacts.check', phoneNumbers: [phoneNumber] });
      if (!asked.ok) return asked;
      const found = asked.answer.contacts.find((contact) => contact.phoneNumber === phoneNumber);
      return found === undefined
        ? refuse('SENDER_UNAVAILABLE', 'The network did not say whether the recipient exists.')
        : { ok: true, onNetwork: found.onNetwork, ...(found.address && { address: found.address }) };
    }

    /** Asks something of the network, as its verb has it. Groups that change are known here as they are then. */
    async askNetwork(query: NetworkQuery): Promise<{ ok: true; answer: object } | Refusal> {
      const { queries, groupSync } = this.parts;
      if (query.verb === 'groups.sync') {
        const asked = await groupSync.ask();
        this.timers.arm();
        return asked;
      }
      return query.verb.startsWith('groups.')
        ? this.groupVerbs.ask(query as QueryOf<GroupVerb>)
        : queries.ask(query);
    }

    /** Somebody looks at a chat, and wants to see when its other side types. Nobody waits for anything. */
    watchChat(chat: string): void {
      const { queries, link, device } = this.parts;
      if (device.current?.state !== 'connected' || queries.heldUntil('chats.watch') !== null) return;
      if (link.ready !== null) queries.tell({ verb: 'chats.watch', chat });
    }

    /** Of highest id first, behind `before`; `hasMore` where the page does not hold all of them. */
    groups(limit: number, before: string | null): { groups: Group[]; hasMore: boolean } {
      return this.parts.groups.page(limit, before);
    }

    group(groupId: string): Group | null {
      return this.parts.groups.find(groupId);
    }

    /** Whose it is; null when it is nobody's, or not any more. */
    accountId(): string | null {
      const device = this.parts.device.current;
      return device && device.removedAt === null ? device.accountId : null;
    }

    /**
     * Sets the pacing of the number, from the next message on, and the settings of its session. `revision`: the account's
     * revision when they were read. Settings that arrive after a later revision change nothing.
     */
    async configure(pacing: Pacing, revision = 0, session?: StoredSessionSettings): Promise<void> {
      if (session && this.parts.session.configure(session, revision)) await this.instruct();
      if (!this.parts.pace.configure(pacing, revision, Date.now())) return;
      this.parts.news.forgetNoticed();
      this.settle();
    }

    /** The account wants messages back that nobody is to send any more. What a bridge has been given stays. */
    giveBack(messageIds: readonly string[]): void {
      const { device, returns } = this.parts;
      if (device.current === null || !this.commit(() => returns.cancel(messageIds))) return;
      this.settle();
    }

    /** How the number does as a sender, and the latest changes of that, newest first. */
    health(): Health & { changes: HealthChange[] } {
      const { health, device } = this.parts;
      return { ...health.shown(device.known, Date.now()), changes: health.changes() };
    }
  };
}
