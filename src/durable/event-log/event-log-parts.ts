import type { Refusal } from '../../contract/errors.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import { fleetOf } from '../bridge-fleet/fleet-of.ts';
import { countingFor } from '../counts/gathered-counts.ts';
import { mediaUrlsOf } from '../media-url.ts';
import { type NamedTimer, slicedTimer } from '../named-timers.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { assembleAlerts } from './alerts/alerts.ts';
import { assembleArchive } from './archive/archive.ts';
import { LateReceipts } from './archive/late-receipts.ts';
import { assembleAssistants } from './assistants/assemble-assistants.ts';
import { assembleAutomations } from './automations/assemble-automations.ts';
import { assembleContacts } from './contacts/contact-parts.ts';
import { ContactRows } from './contacts/contact-rows.ts';
import { ErasedConversations } from './contacts/erasing/erased-conversations.ts';
import { ErasureRows } from './contacts/erasing/erasure-rows.ts';
import { Erasures } from './contacts/erasing/erasures.ts';
import { KnownPeople } from './contacts/known-people.ts';
import { ToldAliases } from './contacts/told-aliases.ts';
import { assembleConversations } from './conversations/assemble-conversations.ts';
import { KnownTeams } from './conversations/assignment/known-teams.ts';
import { SlicedWork } from './conversations/assignment/sliced-work.ts';
import { PersonJoins } from './conversations/merging/person-joins.ts';
import { ChatPages } from './conversations/reading/chat-page.ts';
import { shownWithEvent } from './conversations/reading/shown-conversation.ts';
import { Deliveries } from './deliveries/deliveries.ts';
import type { Deliver } from './deliveries/delivery-order.ts';
import type { EventDraft } from './events/event-draft.ts';
import { EventRows } from './events/event-rows.ts';
import { EventReader } from './feed/event-reader.ts';
import { Feed } from './feed/feed.ts';
import { countFacts } from './intake/counted-facts.ts';
import { effectsOn } from './intake/effects.ts';
import { Intake, ParkedFacts } from './intake/intake.ts';
import { MessageActions } from './intake/messages/message-actions.ts';
import { MessageChanges } from './intake/messages/message-changes.ts';
import { MessageFacts } from './intake/messages/message-facts.ts';
import { LogState } from './log-state.ts';
import { listeners } from './messages/logged-message.ts';
import { MessageRows } from './messages/message-rows.ts';
import { MessageWords } from './messages/message-words.ts';
import { OwnPhones } from './messages/own-phones.ts';
import { MessageList } from './messages/reading/message-list.ts';
import { EventsOfMessage } from './messages/reading/message-timeline.ts';
import { assembleSupport } from './support/assemble-support.ts';
import { supportTimers } from './support/support-timers.ts';
import { TrafficCounts } from './traffic-counts.ts';
import { WakeUps } from './wake-ups.ts';

export type EventLogParts = ReturnType<typeof assembleEventLog>;

/** What an account's log consists of, over its storage as it stands. `arm` sets the alarm where a timer is earlier now. */
export function assembleEventLog(ctx: DurableObjectState, env: Env, arm: () => void) {
  const { storage } = ctx;
  const { sql } = storage;
  const state = new LogState(sql);
  const accountId = state.accountId(ctx.id.name);
  const events = new EventRows(sql);
  const phones = new OwnPhones(sql);
  const words = new MessageWords(storage);
  const messages = new MessageRows(sql, phones, words);
  const reload = () => {
    events.reload();
    messages.reload();
    phones.reload();
    words.reload();
    alerts.reload();
    assistants.reload();
    automations.reload();
    teams.reload();
  };
  /** After a commit: whoever acts on events looks for them. */
  const wake = () => {
    deliveries.wake();
    automations.wake();
    feed.wake();
  };
  const settings = settingsOf(env);
  const graceMs = settings.QUEUE_GRACE_SECONDS * 1000;
  const wakeUps = new WakeUps(accountId, env);
  const counting = countingFor(env, (work) => ctx.waitUntil(work), 'objectMs');
  const alerts = assembleAlerts({
    ctx,
    d1: env.DB,
    accountId,
    state,
    wakeUps,
    graceMs,
    deviceGraceMs: settings.DEVICE_GRACE_SECONDS * 1000,
    gatherMs: settings.ALERT_GATHER_SECONDS * 1000,
    ladder: settings.ALERT_RETRY_SECONDS,
    canMail: settings.SMTP_HOST !== undefined || settings.MAIL_CATCHER_URL !== undefined,
    changed: () => feed.alertsMoved(),
    reload: () => reload(),
    arm,
  });
  const contactRows = new ContactRows(sql);
  const support = assembleSupport({
    storage,
    d1: env.DB,
    accountId,
    state,
    alerts: alerts.rows,
    contacts: contactRows,
    send: (order) => ctx.exports.SurveySender.send(order),
  });
  const teams = new KnownTeams(state);
  const talk = assembleConversations(sql, state, messages, contactRows, [support.clock], support.isRating, {
    known: teams,
    online: () => feed.viewers(),
    tell: (viewed) => feed.tellViewers(viewed),
  });
  const { conversations } = talk;
  const joins = new PersonJoins(sql, talk.merging);
  const goneTeams = new SlicedWork(state, 'teams.gone', (teamId) => ({
    drafts: [],
    isWhole: talk.rows.forgetTeam(teamId),
  }));
  const gonePeople = new SlicedWork(state, 'people.gone', (userId, at) => conversations.takeFrom(userId, at));
  const aliases = new ToldAliases(sql, contactRows, (known) =>
    env.ACCOUNT.getByName(accountId).knowAliases(known),
  );
  const renumbered = (digits: string, phone: string, at: number) =>
    contactRows.renumber(digits, phone)
      ? joins.join({ kind: 'phone', address: digits }, { kind: 'phone', address: phone }, at)
      : [];
  const people = assembleContacts({
    storage,
    accountId,
    rows: contactRows,
    aliases,
    joined: (phone, lid, at) =>
      joins.join({ kind: 'phone', address: phone }, { kind: 'lid', address: lid }, at),
    renumbered,
    parted: (one, other, at) => {
      aliases.parted(one.lid ?? other.lid ?? '');
      return joins.part(one, other, at);
    },
    isOwnPhone: (phone) => phones.numbersOf(phone).length > 0,
    importCalls: ctx.exports.ImportReader,
  });
  const isOpen = (numberId: string, at: number) => support.snapshot.hoursOf(numberId)?.isOpen(at) ?? null;
  const assistants = assembleAssistants({
    ctx,
    env,
    accountId,
    state,
    talk,
    contacts: contactRows,
    logged: messages,
    events,
    isOpen,
    graceMs,
    committed: () => {
      wake();
      arm();
    },
    reload: () => reload(),
  });
  const knownPeople = new KnownPeople(contactRows);
  const messageChanges = new MessageChanges(messages, knownPeople);
  const messageActions = new MessageActions(sql, messages, messageChanges);
  const archived = assembleArchive({
    storage,
    d1: env.DB,
    accountId,
    state,
    events,
    words,
    calls: ctx.exports.ArchiveKeeper,
    talk,
    commit: (change) => commit(change),
    tellBytes: (bytes) => fleetOf(env, null).noteLogBytes(accountId, bytes),
    reload,
  });
  const { archiveSweep, keptEvents, awaitedReceipts, fillNotice } = archived;
  const messageFacts = new MessageFacts(
    messages,
    alerts.messageFailures,
    mediaUrlsOf(env, accountId),
    listeners(conversations, assistants.listener),
    knownPeople,
    renumbered,
  );
  const parked = new ParkedFacts(sql);
  const effects = effectsOn({
    sql,
    state,
    alerts: alerts.rows,
    messageFacts,
    messageActions,
    messageChanges,
    contacts: people.contacts,
    conversations,
    awaitedReceipts,
    phones,
    troubles: alerts.deviceTroubles,
  });
  const intake = new Intake({ accountId, storage, events, messages, effects, parked, counting, reload });
  const messageList = new MessageList(sql, phones, words);
  const erasureRows = new ErasureRows(sql);
  const erasures = new Erasures({
    storage,
    accountId,
    rows: erasureRows,
    contacts: contactRows,
    words,
    segments: archived.segments,
    pasts: archived.pasts,
    calls: ctx.exports.PersonEraser,
    conversations: new ErasedConversations({ sql, ...talk, clock: support.clock }),
    forget(address, rowsMax) {
      aliases.forget(address);
      contactRows.forgetDialled(address);
      support.surveys.forget(address);
      parked.forget(address);
      const receipts = awaitedReceipts.forget(address, rowsMax);
      const actions = messageActions.forget(address, rowsMax);
      const runs = automations.forgetPerson(address, rowsMax);
      return runs < rowsMax && receipts < rowsMax && actions < rowsMax;
    },
    commit: (change) => commit(change),
    reload,
  });
  const generation = state.cursorGeneration();
  const deliver: Deliver = (order) => ctx.exports.WebhookSender.deliver(order);
  const deliveries = new Deliveries({
    ctx,
    env,
    accountId,
    state,
    events,
    generation,
    deliver,
    arm,
    wakeUps,
    alerts,
    counting,
    traceOf: (messageId) => messages.traceparentOf(messageId),
  });
  const { rows, reader } = talk;
  const shownBy = { conversations, rows, reader, messages, optOut: () => automations.optOut };
  const feed = new Feed(ctx, events, generation, (event) => shownWithEvent(event, shownBy));
  const archiveSlice = async (now: number) => {
    await traffic.run(now);
    // What a webhook has yet to get stays here, and what is not counted yet.
    deliveries.storePositions();
    await archiveSweep.run(now);
  };
  /** Makes a change in one transaction with its events, and tells whoever listens. */
  const tell = <Changed extends { drafts: EventDraft[] } | Refusal | null>(
    change: (now: number) => Changed,
  ): Changed => {
    const now = Date.now();
    const make = () => {
      const result = change(now);
      if (result && 'drafts' in result) events.append(result.drafts, now);
      return result;
    };
    const changed = inTransaction(storage, make, reload);
    wake();
    return changed;
  };
  const commit = (change: (now: number) => EventDraft[]) => {
    tell((now) => ({ drafts: change(now) }));
  };
  const lateReceipts = new LateReceipts({
    awaited: awaitedReceipts,
    archive: archived.archive,
    erased: () => erasureRows.finished(),
    putBack: (row) => messages.putBack(row),
    receipt(fact) {
      const drafts = messageFacts.receipt(fact) ?? [];
      countFacts(counting, [{ fact, drafts }]);
      return drafts;
    },
    commit: (change) =>
      commit(() => {
        const drafts = change();
        messages.storeProgress();
        return drafts;
      }),
  });
  const automations = assembleAutomations({
    ctx,
    d1: env.DB,
    accountId,
    state,
    events,
    wakeUps,
    talk,
    messages,
    phones,
    contactRows,
    isOpen,
    startAssistant: assistants.startByRule,
    answered: assistants.answeredByRule,
    graceMs,
    committed: () => {
      deliveries.wake();
      feed.wake();
      arm();
    },
    reload,
  });
  const traffic = new TrafficCounts({ storage, state, events });
  /** What goes on in transactions of its own, with others in between. */
  const inSlices = (name: string, work: { dueAt(): number | null; run(now: number): EventDraft[] }) =>
    slicedTimer(
      name,
      () => work.dueAt(),
      () => commit((now) => work.run(now)),
    );
  const timers: NamedTimer[] = [
    ...deliveries.timers,
    ...alerts.timers,
    ...people.timers,
    ...assistants.timers,
    { name: 'contact-erasures', dueAt: () => erasures.dueAt(), run: (now) => erasures.run(now) },
    ...automations.timers,
    slicedTimer(
      'words',
      () => words.dueAt(),
      () => words.indexBatch(),
    ),
    inSlices('person-joins', joins),
    inSlices('gone-teams', goneTeams),
    inSlices('gone-people', gonePeople),
    inSlices('giving-out', talk.givingOut),
    inSlices('snoozed', { dueAt: () => talk.rows.nextWake(), run: (now) => conversations.wake(now) }),
    ...supportTimers({ sql, state, support, conversations, rows: talk.rows, commit }),
    {
      name: 'traffic',
      dueAt: () => traffic.dueAt(),
      wakesAt: () => traffic.wakesAt(),
      run: (now) => traffic.run(now),
    },
    { name: 'late-receipts', dueAt: () => lateReceipts.dueAt(), run: (now) => lateReceipts.run(now) },
    { name: 'fill', dueAt: () => fillNotice.dueAt(), run: (now) => fillNotice.run(now) },
    {
      name: 'conversations-back',
      dueAt: () => archived.conversationArchive.dueAt(),
      run: () => archived.conversationArchive.run(),
    },
    { name: 'archive', dueAt: () => archiveSweep.dueAt(), run: archiveSlice },
  ];
  return {
    tell,
    wake,
    state,
    messages,
    people,
    erasures,
    erasureRows,
    talk,
    teams,
    goneTeams,
    gonePeople,
    support,
    assistants,
    messageActions,
    messageList,
    knownPeople,
    chatPages: new ChatPages(messageList, talk.notes, archived.archive, archived.pastReader, contactRows),
    intake,
    deliveries,
    alerts,
    automations,
    traffic,
    timelineParts: {
      eventsOf: new EventsOfMessage(sql, events),
      deliveriesOf: (seq: number) => deliveries.ofEvent(seq),
      generation,
    },
    ...archived,
    eventReader: new EventReader(keptEvents, generation),
    feed,
    timers,
  };
}
