import { errorStatus } from '../../../contract/errors.ts';
import type { EventEnvelope } from '../../../contract/events.ts';
import { logFault } from '../../log.ts';
import type { ContactTyping, ViewedConversation } from '../conversations/presence.ts';
import type { ShownWithEvent } from '../conversations/reading/shown-conversation.ts';
import type { EventRows, StoredEvent } from '../events/event-rows.ts';
import { encodeCursor, streamStart } from './cursor.ts';
import { type EventFilter, selectEvents, streamEvent } from './event-reader.ts';
import {
  acknowledgementSchema,
  type FeedAccess,
  type FeedAlerts,
  type FeedFrame,
  type FeedPresence,
  feedCloseCodes,
  feedPing,
  feedPong,
  type PresenceFrame,
  parseFeedUrl,
} from './feed-frames.ts';

/** Events of one frame. */
const frameEventsMax = 100;
/** How many characters of changes one frame has; clients request the rest. */
const shownCharactersMax = 200_000;
/** Characters that a reader may have unacknowledged, but for the last frame. */
const unacknowledgedCharactersMax = 4_000_000;
/** Events that are looked at for one reader in one turn; it goes on with the reader's acknowledgement. */
const lookedAtMax = 2_000;
/** After this many events that a reader does not want, it is told its new position. */
const passedOverMax = 1_000;
/** A reader acknowledges or pings more often than this, or it is gone. */
const silenceMsMax = 60_000;

/**
 * A live reader. It is kept in its socket's attachment, which lives exactly as long as the socket, also in hibernation. An
 * attachment has 16,384 bytes at most, so nothing in it grows with the account's data.
 */
interface Reader {
  filter: EventFilter;
  /** The sequence up to which it has been sent what it wants. */
  seq: number;
  /** Sent, and not acknowledged yet. */
  events: number;
  characters: number;
  /** The most of `events`. */
  window: number;
  /** Events since the last frame that it did not want. */
  passedOver: number;
  /** When it came, or acknowledged last; milliseconds since 1970. */
  heardAt: number;
  /** Who follows conversations with it. Left out by older code. */
  viewerId?: string | null;
  followsAlerts?: boolean;
}

/** What readers that are up to date share in one turn. */
class Turn {
  /** By where they begin. */
  readonly reads = new Map<number, StoredEvent[]>();
  /** What events have changed, as JSON, by their sequences. */
  readonly shown = new Map<number, string | null>();
}

/**
 * The sockets of readers that follow the log, opened by the Worker. Each has a position in the sequence that advances with
 * every commit. A reader that acknowledges too little waits. This needs no timer, so the object can sleep in between.
 */
export class Feed {
  readonly #ctx: DurableObjectState;
  readonly #rows: EventRows;
  readonly #generation: string;
  readonly #shownWith: (event: EventEnvelope) => ShownWithEvent | null;
  #areAlertsToTell = false;

  /** `shownWith`: what an event has changed, for who follows conversations. */
  constructor(
    ctx: DurableObjectState,
    rows: EventRows,
    generation: string,
    shownWith: (event: EventEnvelope) => ShownWithEvent | null,
  ) {
    this.#shownWith = shownWith;
    this.#ctx = ctx;
    this.#rows = rows;
    this.#generation = generation;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(feedPing, feedPong));
  }

  /**
   * Accepts the Worker's upgrade request. Events after `after` are sent in the same turn, so none is missed. `viewerId`: the
   * person who follows conversations with it.
   */
  open(request: Request): { answer: Response; viewerId: string | null } {
    const asked = request.headers.get('Upgrade') === 'websocket' ? parseFeedUrl(request.url) : null;
    if (asked === null) return { answer: new Response(null, { status: 400 }), viewerId: null };
    const { oldest, head, earlier } = this.#rows;
    const start = streamStart(asked.after, { generation: this.#generation, oldest, head, earlier });
    if (!start.ok) {
      return { answer: Response.json(start, { status: errorStatus[start.code] }), viewerId: null };
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    const { filter, window, viewerId = null, followsAlerts = false } = asked;
    keep(server, {
      filter,
      window,
      seq: start.seq,
      events: 0,
      characters: 0,
      passedOver: 0,
      heardAt: Date.now(),
      viewerId,
      followsAlerts,
    });
    this.#sendTo(server, new Turn());
    return { answer: new Response(null, { status: 101, webSocket: client }), viewerId };
  }

  /** Who follows the account's conversations now. */
  viewers(): string[] {
    return [...new Set(this.#viewing().map(([, viewerId]) => viewerId))].toSorted();
  }

  /** Tells all who follow conversations who is where. */
  tellViewers(conversations: ViewedConversation[], typing: ContactTyping[] = []): PresenceFrame {
    const presence = { conversations, online: this.viewers(), ...(typing.length > 0 && { typing }) };
    const frame = JSON.stringify({ presence } satisfies FeedPresence);
    for (const [socket] of this.#viewing()) {
      try {
        // One that an older Worker has opened, which leaves out nothing by itself: it is opened anew.
        if (readerOf(socket).filter.hiddenNumberIds !== undefined)
          socket.close(feedCloseCodes.fault, 'try again');
        else socket.send(frame);
      } catch (error) {
        logFault('feed.presence_not_sent', error);
      }
    }
    return presence;
  }

  /** Teams, their numbers, roles or sign-ins are others now: of each person who reads it is asked again what they may see. */
  accessMoved(): void {
    const frame = JSON.stringify({ access: true } satisfies FeedAccess);
    for (const socket of this.#ctx.getWebSockets()) {
      try {
        const { viewerId, followsAlerts } = readerOf(socket);
        const isPerson = viewerId != null || followsAlerts === true;
        if (socket.readyState === WebSocket.OPEN && isPerson) socket.send(frame);
      } catch (error) {
        logFault('feed.access_not_told', error);
      }
    }
  }

  /** Alerts are others now: told once, behind the transaction in which it is said. Where that is undone, nothing is lost. */
  alertsMoved(): void {
    if (this.#areAlertsToTell) return;
    this.#areAlertsToTell = true;
    queueMicrotask(() => {
      this.#areAlertsToTell = false;
      for (const socket of this.#ctx.getWebSockets()) this.#tellAlerts(socket);
    });
  }

  #tellAlerts(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.OPEN || readerOf(socket).followsAlerts !== true) return;
    try {
      socket.send(JSON.stringify({ alerts: true } satisfies FeedAlerts));
    } catch (error) {
      logFault('feed.alerts_not_told', error);
    }
  }

  #viewing(): [WebSocket, string][] {
    return this.#ctx.getWebSockets().flatMap((socket): [WebSocket, string][] => {
      const { viewerId } = readerOf(socket);
      return socket.readyState === WebSocket.OPEN && viewerId ? [[socket, viewerId]] : [];
    });
  }

  /** After a commit: sends the new events to all who follow. */
  wake(): void {
    const turn = new Turn();
    for (const socket of this.#ctx.getWebSockets()) {
      try {
        this.#sendTo(socket, turn);
      } catch (error) {
        // The commit stands, and the other readers get it.
        logFault('feed.not_sent', error);
        socket.close(feedCloseCodes.fault, 'try again');
      }
    }
  }

  /** An acknowledgement makes room for what waits. */
  message(socket: WebSocket, data: string | ArrayBuffer): void {
    const acknowledged = parseAcknowledgement(data);
    if (acknowledged === null) {
      socket.close(feedCloseCodes.notUnderstood, 'no acknowledgement');
      return;
    }
    const reader = readerOf(socket);
    const events = Math.max(0, reader.events - acknowledged.events);
    const characters = Math.max(0, reader.characters - acknowledged.characters);
    keep(socket, { ...reader, events, characters, heardAt: Date.now() });
    this.#sendTo(socket, new Turn());
  }

  #sendTo(socket: WebSocket, turn: Turn): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    const reader = readerOf(socket);
    if (this.#isSilent(socket, reader)) {
      socket.close(feedCloseCodes.silent, 'nothing was heard for too long');
    } else if (reader.seq < this.#rows.oldest - 1) {
      socket.close(feedCloseCodes.expired, 'the log no longer goes back that far');
    } else {
      this.#sendNext(socket, reader, turn);
      keep(socket, reader);
    }
  }

  /** Frame after frame, up to the head, as long as the reader has room. */
  #sendNext(socket: WebSocket, reader: Reader, turn: Turn): void {
    const turnEndsAt = reader.seq + lookedAtMax;
    let hasSent = false;
    while (reader.seq < this.#rows.head && reader.seq < turnEndsAt && hasRoom(reader)) {
      const { seq, filter } = reader;
      const room = Math.min(frameEventsMax, reader.window - reader.events);
      const selected = selectEvents(this.#read(seq, turn), seq, filter, room);
      reader.passedOver += selected.seq - seq - selected.found.length;
      reader.seq = selected.seq;
      if (selected.found.length > 0) {
        this.#sendFrame(socket, reader, selected.found, turn);
        hasSent = true;
      }
    }
    // The answer to a frame without events brings the next turn, where this one was too short.
    const isCutShort = !hasSent && reader.seq < this.#rows.head && hasRoom(reader);
    if (isCutShort || reader.passedOver >= passedOverMax) this.#sendFrame(socket, reader, [], turn);
  }

  #read(after: number, { reads }: Turn): StoredEvent[] {
    const read = reads.get(after) ?? this.#rows.read(after, frameEventsMax);
    reads.set(after, read);
    return read;
  }

  /** As JSON, made once however many follow. */
  #shown(events: readonly StoredEvent[], { shown }: Turn): string {
    let all = '';
    for (const { seq, envelope } of events) {
      if (!shown.has(seq)) {
        const one = this.#shownWith(envelope);
        shown.set(seq, one && `${JSON.stringify(this.#cursor(seq))}:${JSON.stringify(one)}`);
      }
      const text = shown.get(seq) ?? null;
      if (text !== null && all.length + text.length < shownCharactersMax) all += `${all && ','}${text}`;
    }
    return all;
  }

  #cursor(seq: number): string {
    return encodeCursor({ generation: this.#generation, seq });
  }

  #sendFrame(socket: WebSocket, reader: Reader, events: readonly StoredEvent[], turn: Turn): void {
    const frame: FeedFrame = {
      events: events.map((event) => streamEvent(this.#generation, event)),
      cursor: this.#cursor(reader.seq),
      hasMore: reader.seq < this.#rows.head,
    };
    const shown = reader.viewerId ? this.#shown(events, turn) : '';
    const text = `${JSON.stringify(frame).slice(0, -1)}${shown && `,"shown":{${shown}}`}}`;
    socket.send(text);
    reader.events += events.length;
    reader.characters += text.length;
    reader.passedOver = 0;
  }

  #isSilent(socket: WebSocket, { heardAt }: Reader): boolean {
    const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return Date.now() - Math.max(heardAt, pingedAt) > silenceMsMax;
  }
}

const hasRoom = ({ events, window, characters }: Reader): boolean =>
  events < window && characters < unacknowledgedCharactersMax;

function parseAcknowledgement(data: string | ArrayBuffer) {
  try {
    return acknowledgementSchema.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}

const readerOf = (socket: WebSocket): Reader => socket.deserializeAttachment();
const keep = (socket: WebSocket, reader: Reader): void => socket.serializeAttachment(reader);
