import type { Refusal } from '../../contract/errors.ts';
import { log } from '../log.ts';
import { loadTeams } from './conversations/assignment/known-teams.ts';
import type { Fact, FactsTaken } from './facts.ts';
import type { EventsPage, EventsRequest } from './feed/event-reader.ts';
import { automationVerbs } from './verbs/automation-verbs.ts';
import { contactVerbs } from './verbs/contact-verbs.ts';
import { conversationVerbs } from './verbs/conversation-verbs.ts';
import { deliveryVerbs } from './verbs/delivery-verbs.ts';
import { LogObject } from './verbs/log-object.ts';
import { messageVerbs } from './verbs/message-verbs.ts';

const verbs = messageVerbs(contactVerbs(conversationVerbs(deliveryVerbs(automationVerbs(LogObject)))));

/**
 * The log of one account: its messages and their status, its events in one order, and their deliveries. All of it is in
 * SQLite; what is in memory can be lost at any time. `verbs/` has the calls by feature.
 */
export class EventLog extends verbs {
  // --- facts -------------------------------------------------------------------------------------------------------

  /** Takes what the account or a number tells, as far as the answer says. To repeat it changes nothing. */
  take(facts: readonly Fact[]): FactsTaken {
    const result = this.parts.intake.append(facts, Date.now());
    log('facts.taken', { accountId: this.ctx.id.name, facts: facts.length, ...result });
    this.parts.wake();
    this.timers.arm();
    return { taken: result.taken };
  }

  /** After a change of the account's configuration in D1, before it is answered. */
  async refresh(): Promise<void> {
    const { retention, deliveries, support, alerts, assistants, automations } = this.parts;
    await Promise.all([
      retention.refresh(),
      deliveries.refresh(),
      support.snapshot.refresh(),
      alerts.deliveries.refresh(),
      assistants.refresh(),
    ]);
    await Promise.all([automations.refresh(), this.#refreshTeams()]);
    this.timers.arm();
  }

  async #refreshTeams(): Promise<void> {
    const { teams, talk, gonePeople, state } = this.parts;
    const read = await loadTeams(this.env.DB, state.accountId(this.ctx.id.name));
    // One that has read later knows better who belongs to the account.
    if (read === null || read.teams.revision < teams.revision) return;
    let areOthers = false;
    this.tell((now) => {
      areOthers = teams.replace(read.teams);
      return { drafts: areOthers ? talk.givingOut.begin(null, now) : [] };
    });
    if (areOthers) this.parts.feed.accessMoved();
    // Behind the teams: whoever has left is in none, and is given nothing back.
    const left = talk.rows.assigneeIds().filter((userId) => !read.people.has(userId));
    if (left.length > 0 || gonePeople.left.length > 0)
      this.tell((now) => ({ drafts: gonePeople.run(now, left) }));
  }

  // --- the event stream --------------------------------------------------------------------------------------------

  readEvents(request: EventsRequest): Promise<EventsPage | Refusal> {
    return this.parts.eventReader.read(request);
  }

  /** What somebody may read is another now, or nothing any more: open streams look again. */
  accessMoved(): void {
    this.parts.feed.accessMoved();
  }

  /** Only the upgrade of a live reader, whose credential the Worker has looked at. */
  override fetch(request: Request): Response {
    const { answer, viewerId } = this.parts.feed.open(request);
    // Whoever has come is given what waits for somebody.
    if (viewerId !== null) {
      this.tell((now) => ({ drafts: this.parts.talk.givingOut.begin(viewerId, now) }));
    }
    this.parts.feed.tellViewers(this.parts.talk.presence.all(Date.now()));
    return answer;
  }

  override webSocketClose(): void {
    this.parts.feed.tellViewers([]);
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    this.parts.feed.message(socket, data);
  }
}
