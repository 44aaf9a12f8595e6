import type { TypingState } from '../../contract/bridge/network-queries.ts';
import type { AttributeType } from '../../contract/contacts/attributes.ts';
import type { AudiencePage, AudienceSource } from '../../contract/contacts/audience.ts';
import type { ContactFilter } from '../../contract/contacts/contact-filter.ts';
import type { RowRefusal } from '../../contract/contacts/import.ts';
import type { Actor } from '../../contract/conversations/actor.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { OutboundContent } from '../../contract/messages/actions.ts';
import type { MessageTarget } from '../../contract/messages/changes.ts';
import { aliasAddress, aliasIn } from '../../contract/messages/recipient.ts';
import { BackedUpObject } from '../backup/backed-up-object.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import type { Alert } from './alerts/alert-rows.ts';
import type {
  AlertChannelState,
  AlertDelivery,
  AlertDeliveryAt,
  AlertOrder,
  AlertReport,
} from './alerts/deliveries/alert-order.ts';
import type { DayCount } from './assistants/reports/day-counts.ts';
import type { InstructionVersion } from './assistants/reports/instruction-versions.ts';
import type { RunFilter } from './assistants/reports/run-list.ts';
import type { AssistantAction, Standing } from './assistants/turns/participation.ts';
import type { Turn } from './assistants/turns/turn.ts';
import type { ClaimedTurn, Decided, Thought, TurnSummary } from './assistants/turns/turn-orders.ts';
import type { SettledAction } from './automations/actions/action-queue.ts';
import type { ActionOrder } from './automations/actions/outer-action.ts';
import type { DryRun } from './automations/dry-run.ts';
import type { Rule } from './automations/rules/judge.ts';
import type { RunRecord } from './automations/runs/run-record.ts';
import type { RunFigures } from './automations/runs/run-rows.ts';
import type { AttributeDefinition } from './contacts/attributes/attribute-definitions.ts';
import type { Contact } from './contacts/contact.ts';
import type { ContactPage } from './contacts/contact-search.ts';
import type { ContactSegment } from './contacts/contact-segments.ts';
import type { ContactChanges } from './contacts/contacts.ts';
import type { Erasure } from './contacts/erasing/erasure-rows.ts';
import type { NumberedContact } from './contacts/imports/contact-imports.ts';
import type { ContactImport, ImportAbout } from './contacts/imports/import-rows.ts';
import type { KnownMerge } from './contacts/merging/contact-merges.ts';
import { type Activity, type ActivityRow, activityOf } from './conversations/activity.ts';
import { loadTeams } from './conversations/assignment/load-teams.ts';
import {
  addressOf,
  type ChatAddress,
  type ChatOf,
  type Conversation,
  type ConversationChanges,
} from './conversations/conversation.ts';
import type { Note } from './conversations/notes.ts';
import { type ContactTyping, contactTyping } from './conversations/presence/contact-typing.ts';
import type { ViewedConversation, ViewingState } from './conversations/presence/presence.ts';
import type { ChatPage } from './conversations/reading/chat-page.ts';
import type {
  ConversationFilter,
  ConversationQuery,
  Place,
} from './conversations/reading/conversation-list.ts';
import type { ShownConversation } from './conversations/reading/shown-conversation.ts';
import type { TestOutcome } from './deliveries/attempts/test-delivery.ts';
import type { WebhookState } from './deliveries/deliveries.ts';
import type { DeliveryFilter, DeliveryPage } from './deliveries/history/delivery-list.ts';
import type { DeliveryRecord } from './deliveries/history/delivery-record.ts';
import type { RepetitionPlace, RepetitionSlice, ReplayRange } from './deliveries/history/repetitions.ts';
import { assembleEventLog, type EventLogParts } from './event-log-parts.ts';
import type { EventDraft } from './events/event-draft.ts';
import type { Fact, FactsTaken } from './facts.ts';
import type { EventsPage, EventsRequest } from './feed/event-reader.ts';
import type { PresenceFrame } from './feed/feed-frames.ts';
import { chatAddressOf, type LoggedMessage } from './messages/logged-message.ts';
import type { MessageFilter } from './messages/reading/message-filter.ts';
import type { MessagePage } from './messages/reading/message-list.ts';
import { type MessageTimeline, timelineOf } from './messages/reading/message-timeline.ts';
import { eventLogMigrations } from './migrations.ts';
import { type ReportRange, type SupportReport, supportReport } from './support/reports/support-report.ts';
import type { TrafficRow } from './traffic/traffic-counts.ts';

/**
 * The log of one account: its messages and how far they have come, its events in one order, and what becomes of them.
 * All of it is in SQLite; what is in memory can be lost at any time.
 */
export class EventLog extends BackedUpObject {
  readonly #parts: EventLogParts;
  readonly #timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, eventLogMigrations);
    this.#parts = assembleEventLog(ctx, env, () => this.#timers.arm());
    this.#timers = new NamedTimers(ctx.storage, this.#parts.timers);
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- facts -------------------------------------------------------------------------------------------------------

  /** Takes what the account or a number tells, as far as the answer says. To repeat it changes nothing. */
  take(facts: readonly Fact[]): FactsTaken {
    const result = this.#parts.intake.append(facts, Date.now());
    log('facts.taken', { accountId: this.ctx.id.name, facts: facts.length, ...result });
    this.#parts.deliveries.wake();
    this.#parts.automations.wake();
    this.#timers.arm();
    this.#parts.feed.wake();
    return { taken: result.taken };
  }

  /** After a change of the account's configuration in D1, before it is answered. */
  async refresh(): Promise<void> {
    const { retention, deliveries, support, alerts, assistants, automations } = this.#parts;
    await Promise.all([
      retention.refresh(),
      deliveries.refresh(),
      support.snapshot.refresh(),
      alerts.deliveries.refresh(),
      assistants.refresh(),
    ]);
    await Promise.all([automations.refresh(), this.#refreshTeams()]);
    this.#timers.arm();
  }

  async #refreshTeams(): Promise<void> {
    const { teams, talk, state } = this.#parts;
    const read = await loadTeams(this.env.DB, state.accountId(this.ctx.id.name));
    // One that has read later knows better who belongs to the account.
    if (read === null || read.teams.revision < teams.revision) return;
    const giveOut = (now: number) => talk.conversations.giveOut(null, now);
    this.#tell((now) => ({ drafts: teams.replace(read.teams) ? giveOut(now) : [] }));
    // Behind the teams: whoever has left is in none, and is given nothing back.
    const left = talk.rows.assigneeIds().filter((userId) => !read.people.has(userId));
    for (const userId of left) this.#takeFrom(userId);
    if (left.length > 0) this.#tell((now) => ({ drafts: giveOut(now) }));
  }

  #takeFrom(userId: string): void {
    const { conversations } = this.#parts.talk;
    let freed: { drafts: EventDraft[] };
    do freed = this.#tell((now) => ({ drafts: conversations.takeFrom(userId, now) }));
    while (freed.drafts.length > 0);
  }

  // --- messages ----------------------------------------------------------------------------------------------------

  /** Also one that is archived. */
  async message(messageId: string): Promise<LoggedMessage | null> {
    const { messages, archive } = this.#parts;
    return messages.find(messageId) ?? (await archive.message(messageId));
  }

  /** A message with its steps, its events, and the attempts at each webhook; null: there is no such message. */
  async timeline(messageId: string): Promise<MessageTimeline | null> {
    const message = await this.message(messageId);
    return message === null ? null : timelineOf(message, this.#parts.timelineParts);
  }

  /** Newest first, archived ones too; `before` is the `nextBefore` of the page before, null for the first one. */
  messages(filter: MessageFilter, limit: number, before: number | null): Promise<MessagePage> {
    const { messageList, archive, knownPeople } = this.#parts;
    const allOf = (digits: string | undefined) =>
      digits === undefined ? undefined : knownPeople.namesOf({ digits, lid: null });
    const sought = { ...filter, to: allOf(filter.to), from: allOf(filter.from) };
    return archive.complete(messageList.page(sought, limit, before), { filter: sought, limit, before });
  }

  /** What was sent under this id and to whom, for a recipient whose device asks for it once more. */
  sentContent(providerMessageId: string): { content: OutboundContent; to: string } | null {
    const { messages, messageActions } = this.#parts;
    const message = messages.findByProviderId(providerMessageId);
    if (message === null) return messageActions.sentContent(providerMessageId);
    return { content: message.content, to: chatAddressOf(message) };
  }

  /** By hour or by day (UTC), number by number, oldest first; between two times that begin an hour or a day. */
  traffic(spanHours: 1 | 24, since: number, until: number, numberId: string | null): TrafficRow[] {
    return this.#parts.traffic.rows(spanHours, since, until, numberId, Date.now());
  }

  // --- contacts ----------------------------------------------------------------------------------------------------

  contact(contactId: string): Contact | null {
    return this.#parts.people.rows.find(contactId);
  }

  /** Newest first; `after`: `next` of the page before. A page may be short, and go on behind it. */
  contacts(filter: ContactFilter, limit: number, after: string | null): ContactPage {
    const asked = { limit, after, order: 'newest first', now: Date.now() } as const;
    return this.#parts.people.search.page(filter, asked);
  }

  /** Whom each of these addresses means, phone numbers or aliases as `<digits>@lid`; null: no contact that fits the filter. */
  contactsAt(addresses: readonly string[], filter: ContactFilter = {}): (Contact | null)[] {
    const { rows, search } = this.#parts.people;
    const found = addresses.map((address) => {
      const lid = aliasIn(address);
      return rows.at({ phoneNumber: lid === null ? address : null, lid });
    });
    const contactIds = found.flatMap((contact) => contact?.contactId ?? []);
    const fitting = new Set(search.among(contactIds, filter, Date.now()).map(({ contactId }) => contactId));
    return found.map((contact) => (contact !== null && fitting.has(contact.contactId) ? contact : null));
  }

  /** Those of these digits by which the account knows somebody: a contact, or someone who has written or was written to. */
  knownAddresses(addresses: readonly string[]): string[] {
    return this.#parts.people.rows.knownAddresses(addresses);
  }

  /**
   * All addresses of somebody: digits of phone numbers, those that the network has first, and an alias as `<digits>@lid`.
   * Whoever is no contact has the digits that were asked for.
   */
  addressesOf(person: { contactId: string } | { phoneNumber: string }): string[] {
    const { rows } = this.#parts.people;
    const asked = 'phoneNumber' in person ? person.phoneNumber : null;
    const contact = 'contactId' in person ? rows.find(person.contactId) : rows.byPhone(person.phoneNumber);
    const phoneNumber = contact?.phoneNumber ?? (asked === null ? null : rows.addressOf(asked));
    const lid = contact?.lid ?? null;
    const digits = rows.digitsOf({ phoneNumber, lid: null });
    return [
      ...new Set([
        ...digits,
        ...(asked === null ? [] : [asked]),
        ...(lid === null ? [] : [aliasAddress(lid)]),
      ]),
    ];
  }

  /** Where messages to these contacts go, by their ids: a phone number, or an alias as `<digits>@lid`. Others are left out. */
  contactAddresses(contactIds: readonly string[]): Record<string, string> {
    const { rows } = this.#parts.people;
    return Object.fromEntries(
      contactIds.flatMap((contactId) => {
        const { phoneNumber = null, lid = null } = rows.find(contactId) ?? {};
        const address = phoneNumber ?? (lid === null ? null : aliasAddress(lid));
        return address === null ? [] : [[contactId, address] as const];
      }),
    );
  }

  /** Those whom something may be sent to; see {@link Audience.page}. */
  audience(source: AudienceSource, after: string | null, limit: number): AudiencePage | Refusal {
    return this.#parts.people.audience.page(source, after, limit, Date.now());
  }

  /** `contactId`: what the new one is called. To repeat it changes nothing. */
  createContact(contactId: string, phoneNumber: string, changes: ContactChanges): Contact | Refusal {
    const made = { contactId, phoneNumber };
    const result = this.#tell((now) => this.#parts.people.contacts.create(made, changes, now));
    return 'contact' in result ? result.contact : result;
  }

  /** Null: there is no such contact. */
  changeContact(contactId: string, changes: ContactChanges): Contact | Refusal | null {
    const result = this.#tell((now) => this.#parts.people.contacts.change(contactId, changes, now));
    return result !== null && 'contact' in result ? result.contact : result;
  }

  /** False: there is no such contact. Who writes again is one again. */
  removeContact(contactId: string): boolean {
    const contact = this.contact(contactId);
    if (contact === null) return false;
    this.ctx.storage.transactionSync(() => this.#parts.people.rows.remove(contact));
    return true;
  }

  /** Makes another contact a part of this one; null: there are no two such contacts. */
  mergeContacts(contactId: string, otherId: string): { contact: Contact; mergeId: string } | Refusal | null {
    const result = this.#tell((now) => this.#parts.people.merges.merge(contactId, otherId, now));
    return result !== null && 'contact' in result
      ? { contact: result.contact, mergeId: result.mergeId }
      : result;
  }

  /** Merges that were not undone; see {@link ContactMerges.newest}. */
  contactMerges(contactId: string | null, limit: number, before: string | null): KnownMerge[] {
    return this.#parts.people.merges.newest(contactId, limit, before, Date.now());
  }

  /** Both contacts again; null: there is no such merge. */
  unmergeContacts(mergeId: string): Contact[] | Refusal | null {
    const result = this.#tell((now) => this.#parts.people.merges.undo(mergeId, now));
    return result !== null && 'contacts' in result ? result.contacts : result;
  }

  /** They are a contact no more, and the rest follows. Null: there is no such contact. */
  eraseContact(contactId: string, campaignRecipients: number): Erasure | null {
    const { erasures } = this.#parts;
    const begun = this.ctx.storage.transactionSync(() =>
      erasures.begin(contactId, campaignRecipients, Date.now()),
    );
    this.#timers.arm();
    return begun;
  }

  contactErasure(erasureId: string): Erasure | null {
    return this.#parts.erasureRows.find(erasureId);
  }

  /** By name, the first 500 of them. */
  contactLabels(): string[] {
    return this.#parts.people.rows.labels(500);
  }

  contactAttributes(): AttributeDefinition[] {
    return this.#parts.people.definitions.all();
  }

  declareContactAttribute(name: string, type: AttributeType): AttributeDefinition | Refusal {
    const { definitions, imports } = this.#parts.people;
    if (imports.isRunning()) return refuse('CONFLICT', 'An import goes on: wait until it is over.');
    const isKnown = definitions.find(name) !== null;
    if (!isKnown && !definitions.hasRoomFor(1))
      return refuse('CONFLICT', 'There are as many as there can be.');
    definitions.declare(name, type);
    return { name, type, declared: true };
  }

  /** False: there is no such attribute. */
  removeContactAttribute(name: string): boolean | Refusal {
    const { definitions, imports } = this.#parts.people;
    if (imports.isRunning()) return refuse('CONFLICT', 'An import goes on: wait until it is over.');
    return definitions.remove(name);
  }

  /** Newest first, one more than `limit` where there are more. */
  contactSegments(limit: number, before: string | null): ContactSegment[] {
    return this.#parts.people.segments.page(limit, before);
  }

  contactSegment(segmentId: string): ContactSegment | null {
    return this.#parts.people.segments.find(segmentId);
  }

  createContactSegment(name: string, filter: ContactFilter): ({ ok: true } & ContactSegment) | Refusal {
    return this.#parts.people.segments.create(name, filter, Date.now());
  }

  /** Null: there is no such segment. */
  changeContactSegment(
    segmentId: string,
    changes: { name?: string | undefined; filter?: ContactFilter | undefined },
  ): ({ ok: true } & ContactSegment) | Refusal | null {
    return this.#parts.people.segments.change(segmentId, changes, Date.now());
  }

  removeContactSegment(segmentId: string): ContactSegment | null {
    return this.#parts.people.segments.remove(segmentId);
  }

  /** All at once; see {@link ContactImports.takeAll}. */
  importContacts(
    importId: string,
    about: ImportAbout,
    contacts: readonly NumberedContact[],
    refused: readonly RowRefusal[],
  ): ContactImport {
    return this.#parts.people.imports.takeAll(importId, about, contacts, refused, Date.now());
  }

  /** A file that is stored is read from now on. */
  beginContactImport(importId: string, about: ImportAbout): ContactImport | Refusal {
    const begun = this.#parts.people.imports.begin(importId, about, Date.now());
    this.#timers.arm();
    return begun;
  }

  /** The import as it is when it is over, or after so long. */
  followContactImport(importId: string, ms: number): Promise<ContactImport> {
    return this.#parts.people.imports.follow(importId, ms);
  }

  contactImport(importId: string): ContactImport | null {
    return this.#parts.people.importRows.find(importId);
  }

  /** Newest first, one more than `limit` where there are more. */
  contactImports(limit: number, before: string | null): ContactImport[] {
    return this.#parts.people.importRows.page(limit, before);
  }

  // --- conversations -----------------------------------------------------------------------------------------------

  conversation(conversationId: string): Conversation | null {
    return this.#parts.talk.rows.find(conversationId);
  }

  /** The conversation of a chat, by whichever address of the other side is known. */
  conversationOf(chat: ChatOf): Conversation | null {
    return this.#parts.talk.rows.of(this.#addressOf(chat));
  }

  #addressOf(chat: ChatOf): ChatAddress {
    const { phoneNumber } = chat;
    const { rows } = this.#parts.people;
    return addressOf(
      phoneNumber === undefined ? chat : { ...chat, phoneNumber: rows.addressOf(phoneNumber) },
    );
  }

  /** Null: there is no such conversation. */
  changeConversation(conversationId: string, changes: ConversationChanges, by: Actor): Conversation | null {
    const { conversations } = this.#parts.talk;
    const changed = this.#tell((now) => conversations.change(conversationId, changes, by, now));
    return changed?.conversation ?? null;
  }

  /** The conversation of a chat, begun by somebody where there is none. */
  beginConversation(chat: ChatOf, by: Actor): { conversation: Conversation; isNew: boolean } {
    const { conversations } = this.#parts.talk;
    const { conversation, isNew } = this.#tell((now) => conversations.begin(this.#addressOf(chat), by, now));
    return { conversation, isNew };
  }

  /** Somebody has read it; false: there is no such conversation. */
  readConversation(conversationId: string, by: Actor): boolean {
    const { conversations } = this.#parts.talk;
    return this.#tell(() => conversations.read(conversationId, by)) !== null;
  }

  /** A conversation as readers see it; null: there is none. */
  shownConversation(conversationId: string): ShownConversation | null {
    const { rows, reader } = this.#parts.talk;
    const conversation = rows.find(conversationId);
    return conversation && reader.shown(conversation);
  }

  conversationPage(query: ConversationQuery): { conversations: ShownConversation[]; next: Place | null } {
    const { list, reader } = this.#parts.talk;
    const { conversations, next } = list.page(query);
    return { conversations: conversations.map((one) => reader.shown(one)), next };
  }

  /** How many there are of each, counted to `most`. */
  conversationCounts(filters: readonly ConversationFilter[], most: number): number[] {
    return filters.map((filter) => this.#parts.talk.list.count(filter, most));
  }

  /** A page of a chat, newest first; null: there is no such conversation. */
  async chatPage(
    conversationId: string,
    page: { limit: number; before: number | null; after: number | null },
  ): Promise<ChatPage | null> {
    const conversation = this.#parts.talk.rows.find(conversationId);
    return conversation && this.#parts.chatPages.page(conversation, page);
  }

  /** What waits for its time in a chat; null: there is no such conversation. */
  scheduledMessages(conversationId: string): LoggedMessage[] | null {
    const conversation = this.#parts.talk.rows.find(conversationId);
    return conversation && this.#parts.chatPages.scheduled(conversation, Date.now());
  }

  /** Who did what, newest first, one more than `limit` where there is more. */
  conversationActivity(conversationId: string, limit: number, before: number | null): Promise<Activity[]> {
    const { talk, pastReader } = this.#parts;
    const asked = { below: before ?? Number.MAX_SAFE_INTEGER, downTo: 0, limit: limit + 1 };
    const kept = talk.activity.before(conversationId, asked.below, asked.limit);
    return pastReader.complete(conversationId, 'activity', kept, asked, (row) =>
      activityOf(row as unknown as ActivityRow),
    );
  }

  /** The conversations that these messages belong to, in their order; null where there is none. */
  conversationsOf(messages: readonly LoggedMessage[]): (string | null)[] {
    const { conversations } = this.#parts.talk;
    return messages.map((message) => conversations.of(message)?.conversationId ?? null);
  }

  /** Somebody looks at a conversation, types in it, or has left it; who is in it now. Null: there is none. */
  viewConversation(
    conversationId: string,
    person: { userId: string; name: string },
    state: ViewingState | 'left',
  ): PresenceFrame | null {
    const { presence, rows } = this.#parts.talk;
    const conversation = rows.find(conversationId);
    if (conversation === null) return null;
    const now = Date.now();
    this.ctx.storage.transactionSync(() => presence.note(conversationId, person, state, now));
    return this.#tellViewers([presence.of(conversation, now)]);
  }

  /** The other side of a chat types, or has stopped: whoever follows conversations sees it. */
  noteTyping(chat: ChatOf, state: TypingState): void {
    const conversation = this.conversationOf(chat);
    if (conversation !== null) this.#tellViewers([], [contactTyping(conversation, state, Date.now())]);
  }

  #tellViewers(conversations: ViewedConversation[], typing: ContactTyping[] = []): PresenceFrame {
    const { feed } = this.#parts;
    const frame = { conversations, online: feed.viewers(), ...(typing.length > 0 && { typing }) };
    feed.tellViewers(frame);
    return frame;
  }

  /** A team is gone, in D1 already. */
  forgetTeam(teamId: string): void {
    const { rows, assignment } = this.#parts.talk;
    this.ctx.storage.transactionSync(() => {
      rows.forgetTeam(teamId);
      assignment.forgetTeam(teamId);
    });
  }

  /** Null: there is no such conversation. */
  addNote(conversationId: string, note: Pick<Note, 'text' | 'mentions'>, by: Actor): Note | null {
    const { conversations } = this.#parts.talk;
    const added = this.ctx.storage.transactionSync(() =>
      conversations.addNote(conversationId, note, by, Date.now()),
    );
    if (added !== null) this.#tellOfNote(conversationId);
    return added;
  }

  /** The same under a key; see {@link Conversations.addNoteOnce}. */
  addNoteOnce(
    conversationId: string,
    note: Pick<Note, 'text' | 'mentions'>,
    key: string,
    by: Actor,
  ): { ok: true; note: Note; isRepeat: boolean } | Refusal | null {
    const { conversations } = this.#parts.talk;
    const added = this.ctx.storage.transactionSync(() =>
      conversations.addNoteOnce(conversationId, note, key, by, Date.now()),
    );
    if (added?.ok && !added.isRepeat) this.#tellOfNote(conversationId);
    return added;
  }

  /** No event tells of notes: they never leave. Colleagues who have the conversation before them see it all the same. */
  #tellOfNote(conversationId: string): void {
    const { presence, rows } = this.#parts.talk;
    const conversation = rows.find(conversationId);
    if (conversation === null) return;
    this.#tellViewers([{ ...presence.of(conversation, Date.now()), hasNote: true }]);
  }

  /** What the other side has written and nobody has read, newest first, as the network names it. */
  unreadTargets(conversationId: string, limit: number): MessageTarget[] {
    const { rows, messages } = this.#parts.talk;
    const conversation = rows.find(conversationId);
    return conversation === null ? [] : messages.unreadTargets(conversation, limit);
  }

  /** How conversations went that were opened between two times. */
  supportReport(range: ReportRange): SupportReport {
    return supportReport(this.ctx.storage.sql, range);
  }

  // --- assistants --------------------------------------------------------------------------------------------------

  /** Somebody begins to answer a turn: what is to be done, and under which lease. */
  claimTurn(turnId: string): ClaimedTurn {
    // What a rule answers is none of an assistant's.
    this.#parts.automations.catchUp();
    return this.#parts.assistants.claim(turnId);
  }

  /** What a model came to; whether it is said is decided here. */
  decideTurn(turnId: string, lease: string, thought: Thought): Decided {
    return this.#parts.assistants.decide(turnId, lease, thought);
  }

  turnSent(turnId: string, messageId: string): void {
    this.#parts.assistants.sent(turnId, messageId);
  }

  turnNotSent(turnId: string, refusal: Refusal): Decided {
    return this.#parts.assistants.notSent(turnId, refusal);
  }

  noteSummary(summary: TurnSummary): void {
    this.#parts.assistants.noteSummary(summary);
  }

  /** A person says whose a conversation is. Null: there is no such conversation. */
  orderAssistant(
    conversationId: string,
    action: AssistantAction,
    assistantId: string | null,
    by: Actor,
  ): { ok: true; decided: Decided } | Refusal | null {
    return this.#parts.assistants.order(conversationId, action, assistantId, by);
  }

  /** Who answers in a conversation, and who could. */
  assistantStanding(conversation: { conversationId: string; numberId: string }): Standing {
    return this.#parts.assistants.participation.standing(conversation);
  }

  /** Newest first, one more than `limit` where there are more. */
  assistantRuns(assistantId: string, filter: RunFilter, limit: number, before: number | null): Turn[] {
    return this.#parts.assistants.runs.page(assistantId, filter, limit, before);
  }

  assistantRun(turnId: string): Turn | null {
    return this.#parts.assistants.runs.find(turnId);
  }

  /** What it was told so far, and what came of it: the newest wording first, one more than `limit` where there are more. */
  assistantInstructions(assistantId: string, limit: number, before: number | null): InstructionVersion[] {
    return this.#parts.assistants.versions.page(assistantId, limit, before);
  }

  /** What it did on each day (UTC) since then, oldest first. */
  assistantDays(assistantId: string, since: string): DayCount[] {
    return this.#parts.assistants.days.since(assistantId, since);
  }

  // --- the event stream --------------------------------------------------------------------------------------------

  readEvents(request: EventsRequest): Promise<EventsPage | Refusal> {
    return this.#parts.eventReader.read(request);
  }

  /** Only the upgrade of a live reader, whose credential the Worker has looked at. */
  override fetch(request: Request): Response {
    const { answer, viewerId } = this.#parts.feed.open(request);
    // Whoever has come is given what waits for somebody.
    if (viewerId !== null) {
      this.#tell((now) => ({ drafts: this.#parts.talk.conversations.giveOut(viewerId, now) }));
    }
    this.#tellViewers(this.#parts.talk.presence.all(Date.now()));
    return answer;
  }

  override webSocketClose(): void {
    this.#tellViewers([]);
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    this.#parts.feed.message(socket, data);
  }

  // --- webhooks ----------------------------------------------------------------------------------------------------

  /** How these webhooks do; those that the log does not know are left out. */
  webhookStates(webhookIds: readonly string[]): WebhookState[] {
    return this.#parts.deliveries.states(webhookIds);
  }

  /** A person has switched this webhook on, in D1 already: its circuit closes, and what was held goes out. */
  closeCircuit(webhookId: string): Promise<void> {
    return this.#parts.deliveries.closeCircuit(webhookId);
  }

  /** A queue has rung: retries of these webhooks are due. */
  retryDue(webhookIds: readonly string[]): void {
    this.#parts.deliveries.wake(webhookIds);
  }

  /** Newest first; `before` is the `nextBefore` of the page before. Null: there is no such webhook. */
  webhookDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    limit: number,
    before: string | null,
  ): DeliveryPage | null {
    return this.#parts.deliveries.page(webhookId, filter, limit, before);
  }

  /** Sends a test now and once. Null: there is no such webhook. */
  testWebhook(webhookId: string): Promise<TestOutcome | null> {
    return this.#parts.deliveries.test(webhookId);
  }

  /** The same event under a new delivery id; null: there is no such delivery. */
  redeliver(webhookId: string, deliveryId: string): DeliveryRecord | Refusal | null {
    return this.#parts.deliveries.redeliver(webhookId, deliveryId);
  }

  /** A slice of the events since a time whose last delivery ended so, once more; how many there are so far. */
  redeliverSince(
    webhookId: string,
    since: number,
    status: 'failed' | 'delivered',
    from: RepetitionPlace | null = null,
  ): RepetitionSlice | Refusal {
    return this.#parts.deliveries.redeliverSince(webhookId, since, status, from);
  }

  /** All events of a part of the sequence once more: counted a slice at a time, and begun with the last one. */
  replay(
    webhookId: string,
    range: ReplayRange,
    from: RepetitionPlace | null = null,
  ): RepetitionSlice | Refusal {
    return this.#parts.deliveries.replay(webhookId, range, from);
  }

  // --- automations -------------------------------------------------------------------------------------------------

  /** How often these rules have run, and when last. */
  automationFigures(automationIds: readonly string[]): RunFigures[] {
    return this.#parts.automations.figures(automationIds);
  }

  /** Newest first, one more than `limit` where there are more; `ran`: those that ran, or those that did not. */
  automationRuns(
    automationId: string,
    limit: number,
    before: string | null,
    ran: boolean | null,
  ): RunRecord[] {
    return this.#parts.automations.runs(automationId, limit, before, ran);
  }

  /** What a rule would have done since then. Changes nothing. */
  dryRunAutomation(rule: Rule, since: number): Promise<DryRun> {
    return this.#parts.automations.dryRun(rule, since);
  }

  /** What rules want done outside of the log: whoever takes it says what came of it. */
  takeAutomationActions(limit: number): ActionOrder[] {
    const orders = this.#parts.automations.take(limit);
    this.#timers.arm();
    return orders;
  }

  /** What came of actions. To repeat it changes nothing. */
  settleAutomationActions(settled: readonly SettledAction[]): void {
    this.#parts.automations.settle(settled);
    this.#timers.arm();
  }

  // --- alerts ------------------------------------------------------------------------------------------------------

  /** Newest first, one more than `limit` where there are more; `isOpen`: those that last, or those that are over. */
  alerts(limit: number, before: string | null, isOpen: boolean | null = null): Alert[] {
    return this.#parts.alerts.book.newest(limit, before, isOpen);
  }

  alert(alertId: string): Alert | null {
    return this.#parts.alerts.rows.find(alertId);
  }

  /** Somebody knows of it; null: there is no such alert. */
  acknowledgeAlert(alertId: string, by: string): Alert | null {
    return this.#parts.alerts.book.acknowledge(alertId, by);
  }

  /** Messages that tell of alerts and are due, each for one attempt. */
  beginAlertDeliveries(ordersMax: number): AlertOrder[] {
    return this.#parts.alerts.deliveries.begin(ordersMax);
  }

  /** What came of one of them; how it is then. Null: there is no such delivery any more. */
  reportAlertDelivery(deliveryId: string, report: AlertReport): AlertDelivery['status'] | null {
    return this.#parts.alerts.deliveries.report(deliveryId, report);
  }

  /** Somebody has tried a channel. */
  noteAlertTest(channelId: string, deliveryId: string, report: AlertReport): void {
    this.#parts.alerts.deliveries.noteTest(channelId, deliveryId, report);
  }

  /** Newest first, one more than `limit` where there are more; `before` is a `position`. */
  alertDeliveries(channelId: string, limit: number, before: number | null): AlertDeliveryAt[] {
    return this.#parts.alerts.deliveries.page(channelId, limit + 1, before);
  }

  alertChannelStates(channelIds: readonly string[]): AlertChannelState[] {
    return this.#parts.alerts.deliveries.states(channelIds);
  }

  /** A number was deleted, in D1 already: what troubled it is over. */
  forgetNumber(numberId: string): void {
    this.#parts.alerts.forgetNumber(numberId);
    this.#timers.arm();
  }

  /** Makes a change in one transaction with its events, and tells whoever listens. */
  #tell<Changed extends { drafts: EventDraft[] } | Refusal | null>(
    change: (now: number) => Changed,
  ): Changed {
    const { events, deliveries, automations, feed } = this.#parts;
    const now = Date.now();
    const changed = this.ctx.storage.transactionSync(() => {
      const result = change(now);
      if (result && 'drafts' in result) events.append(result.drafts, now);
      return result;
    });
    deliveries.wake();
    automations.wake();
    this.#timers.arm();
    feed.wake();
    return changed;
  }

  // --- what time brings --------------------------------------------------------------------------------------------

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }
}
