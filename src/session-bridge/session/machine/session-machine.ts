import type { DisconnectReason, LogoutReason } from '../../../contract/bridge/device.ts';
import { defaultSessionSettings, type SessionSettings } from '../../../contract/bridge/session-settings.ts';
import type { NumberCommand } from '../../edge/edge-link.ts';
import { errorText, type Log } from '../../logging.ts';
import type { WebVersion } from '../../network/client/web-version.ts';
import type { ConnectionEnd, NetworkConnection, NetworkEvents } from '../../network/connection/connection.ts';
import { connectionCodes, type Ending, endingOf } from '../../network/connection/connection-end.ts';
import { DeviceKeys } from '../../network/keys/auth-state.ts';
import { forgetSessions, readAhead } from '../../network/keys/stored-sessions.ts';
import { Comeback } from './comeback.ts';
import type { LoginTurn } from './login-turns.ts';
import { PairingDialogue } from './pairing-dialogue.ts';
import { type SessionMachineOptions, storedKeys } from './session-options.ts';
import { connectionIn, endState, SessionReports, type SessionState } from './session-reports.ts';
import { takenOff } from './take-off.ts';

/** For how many recipients of waiting messages the keys are read in advance. */
const readAheadMax = 50;

/**
 * The state machine of one session: it pairs, connects, reconnects, and reports the outcome. Credentials are in the vault, so
 * that any bridge can continue where this one ends.
 */
export class SessionMachine {
  readonly #options: SessionMachineOptions;
  readonly #log: Log;
  #keys: DeviceKeys | null = null;
  readonly #pairing: PairingDialogue;
  #state: SessionState = { is: 'down' };
  /** As the edge gave them last. */
  #settings: SessionSettings = defaultSessionSettings;
  readonly #reports: SessionReports;
  readonly #comeback: Comeback;
  /** The device is being taken off its phone: it logs in for nothing else. */
  #isLeaving = false;

  constructor(options: SessionMachineOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#reports = new SessionReports(options.facts, options.log);
    this.#comeback = new Comeback(options.config.timings);
    this.#pairing = new PairingDialogue({
      facts: options.facts,
      log: options.log,
      pairingMs: options.config.timings.pairingMs,
      onFailed: () => void this.#closeConnection(),
    });
  }

  /** Ends the connection permanently; the device stays linked and nothing is reported. */
  async end(): Promise<void> {
    const closed = this.#closeConnection();
    this.#state = { is: 'ended' };
    await closed;
  }

  /**
   * Connects with the credentials in the vault; an open session continues with the new settings. `freshSessionsFor`:
   * recipients to whom another bridge may have written with keys that are unknown here.
   */
  async start(
    settings: SessionSettings = this.#settings,
    freshSessionsFor: readonly string[] = [],
  ): Promise<void> {
    const isOtherWay = settings.proxyUrl !== this.#settings.proxyUrl;
    this.#settings = settings;
    if (this.#state.is === 'open') {
      if (isOtherWay) {
        await this.#reopen('proxy_changed');
        return;
      }
      this.#state.connection.settingsChanged();
      this.#reports.stillOpen();
      return;
    }
    // Also while it is being paired.
    if (this.#keys) return;
    this.#options.outbox.expectConnection();
    const keys = await storedKeys(this.#options.vault, this.#log);
    if (this.#isEnded) return;
    if (!keys?.isLinked) {
      this.#log.error('session.no_credentials');
      this.#rejectKeys();
      return;
    }
    const people = [...freshSessionsFor, ...this.#options.outbox.recipients].filter(
      (to) => !to.includes('@'),
    );
    // What cannot be read now is read when it is needed, and fails there.
    readAhead(keys, [...new Set(people)].slice(0, readAheadMax)).catch(() => {});
    try {
      if (freshSessionsFor.length > 0) await forgetSessions(keys, freshSessionsFor);
    } catch (error) {
      this.#log.error({ error: errorText(error) }, 'vault.unreadable');
      if (!this.#isEnded) this.#rejectKeys();
      return;
    }
    this.#keys = keys;
    await this.#connect();
  }

  /** Without readable keys nothing begins; the next start tries it anew. */
  #rejectKeys(): void {
    this.#reports.lost('credentials_rejected', this.#lastSeenAt());
    this.#options.outbox.lost();
  }

  /** Pairs again, unless this same request has succeeded before. */
  async pair({
    settings = this.#settings,
    ...request
  }: Extract<NumberCommand, { type: 'session.pair' }>): Promise<void> {
    const { pairingId } = request;
    this.#settings = settings;
    if (this.#keys?.pairingId === pairingId) return;
    await this.#closeConnection();
    this.#options.outbox.lost();
    const stored = await storedKeys(this.#options.vault, this.#log);
    if (this.#isEnded) return;
    if (stored?.isLinked && stored.pairingId === pairingId) {
      // The phone had linked this device already when the request came once more.
      this.#keys = stored;
      this.#pairing.resume(request);
      this.#options.outbox.expectConnection();
      await this.#connect();
      return;
    }
    if (stored) DeviceKeys.discard(this.#options.vault);
    this.#comeback.beginAnew();
    this.#pairing.begin(request);
    await this.#connect();
  }

  /** Ends the session; the device stays linked. */
  async stop(): Promise<void> {
    const lastSeenAt = this.#lastSeenAt();
    await this.#closeConnection();
    this.#reports.stopped(lastSeenAt);
    this.#options.outbox.lost();
    this.#log.info('session.stopped');
  }

  /**
   * Takes the device off its phone. If the session is not open, or the network does not confirm it, it logs in for that, again
   * and again, until another command comes or the lease ends. How long it is wanted is for the edge to say.
   */
  async logOut(): Promise<void> {
    if (this.#isLeaving) return;
    const connection = this.openConnection;
    if (connection) {
      this.#isLeaving = true;
      this.#leave({ is: 'connecting', connection, isCaughtUp: true, turn: null });
      this.#options.onClosed();
      await this.#takeOff(connection);
      return;
    }
    const lastSeenAt = this.#lastSeenAt();
    await this.#closeConnection();
    // In this order: see the loss of a connection.
    this.#reports.lost('requested', lastSeenAt);
    this.#options.outbox.lost();
    const keys = await DeviceKeys.load(this.#options.vault);
    if (this.#isEnded) return;
    if (!keys?.isLinked) {
      this.#unlinked('logged_out_on_request');
      return;
    }
    this.#keys = keys;
    this.#isLeaving = true;
    await this.#connect();
  }

  async #takeOff(connection: NetworkConnection): Promise<void> {
    const isOff = await takenOff(connection, this.#log);
    // If it has ended meanwhile, its end has said what follows.
    if (this.#connection !== connection) return;
    const lastSeenAt = this.#lastSeenAt();
    this.#leave({ is: 'down' });
    await connection.close();
    // Another command may have come meanwhile.
    if (!this.#isLeaving) return;
    if (isOff) {
      this.#unlinked('logged_out_on_request');
      return;
    }
    this.#reports.lost('requested', lastSeenAt);
    this.#options.outbox.lost();
    this.#reconnect(this.#comeback.nextWaitMs());
  }

  /** The device is off its phone, or banned. A ban may be lifted, so its keys are kept if it was not to go anyway. */
  #unlinked(reason: LogoutReason): void {
    if (reason !== 'banned' || this.#isLeaving) DeviceKeys.discard(this.#options.vault);
    this.#keys = null;
    this.#isLeaving = false;
    this.#pairing.end();
    this.#reports.ended(reason);
    this.#options.outbox.lost();
    this.#log.warn({ reason }, 'session.ended');
  }

  /** The connection while it is open; null at any other time. */
  get openConnection(): NetworkConnection | null {
    return this.#state.is === 'open' ? this.#state.connection : null;
  }

  /** The session is open but receives nothing. It is asked for a sign of life, and renewed whether or not it gives one. */
  async renew(): Promise<void> {
    const connection = this.openConnection;
    if (!connection) return;
    const lastSeenAt = this.#lastSeenAt();
    const answersProbe = await connection.probe();
    if (this.openConnection !== connection) return;
    this.#log.warn({ answersProbe }, 'session.deaf');
    await this.#reopen('session_deaf', lastSeenAt);
  }

  /** Gives the connection up and comes back at once. */
  async #reopen(reason: DisconnectReason, lastSeenAt = this.#lastSeenAt()): Promise<void> {
    const connection = this.#connection;
    this.#options.counting.lost(reason);
    this.#leave({ is: 'down' });
    this.#options.onClosed();
    await connection?.close();
    this.#reports.lost(reason, lastSeenAt);
    this.#options.outbox.lost();
    this.#options.outbox.expectConnection();
    this.#reconnect(0);
  }

  async #connect(): Promise<void> {
    const { versions, fence, logins, outbox, vault } = this.#options;
    const version = await versions.current();
    await fence.opened();
    if (this.#isEnded || this.#connection) return;
    const pairing = this.#pairing.unpaired;
    if (pairing) {
      // Credentials of a pairing that did not succeed may name an account already: each try begins with new ones.
      this.#keys = DeviceKeys.fresh(vault, pairing.pairingId);
      // Somebody stands before the screen, and it is no login.
      this.#dial(this.#keys, version, null);
      return;
    }
    const keys = this.#keys;
    if (!keys) return;
    const turn = logins.ask(outbox.hasMessages, () => this.#dial(keys, version, turn));
    this.#leave({ is: 'queued', turn });
  }

  /** A connection that cannot even be begun is lost as any other: it holds up no other number, and is tried again. */
  #dial(keys: DeviceKeys, version: WebVersion | undefined, turn: LoginTurn | null): void {
    try {
      this.#open(keys, version, turn);
    } catch (error) {
      this.#log.error({ error: errorText(error) }, 'session.connect_failed');
      this.#closed({ code: connectionCodes.unavailable, detail: errorText(error) });
    }
  }

  #open(keys: DeviceKeys, version: WebVersion | undefined, turn: LoginTurn | null): void {
    const { config, open, beforeWriting, fence } = this.#options;
    const connection: NetworkConnection = open({
      keys,
      settings: () => this.#settings,
      config,
      version,
      beforeWriting,
      fence,
      events: this.#eventsOf(() => connection),
    });
    // The turn goes on, until the session is open or lost.
    this.#state = { is: 'connecting', connection, isCaughtUp: false, turn };
    this.#log.info('session.connecting');
  }

  /** What a connection reports; only messages are heard from one that was given up. */
  #eventsOf(connectionOf: () => NetworkConnection): NetworkEvents {
    const { messages } = this.#options;
    const isCurrent = () => connectionOf() === this.#connection;
    return {
      onQr: (qr, expiresAtMs) => isCurrent() && this.#pairing.showQr(qr, expiresAtMs, connectionOf()),
      onPasskeyRequested: () => isCurrent() && this.#pairing.fail('passkey_required'),
      onPaired: () => isCurrent() && this.#paired(),
      onOpen: (phoneNumber) => isCurrent() && this.#opened(phoneNumber),
      onCaughtUp: () => isCurrent() && this.#caughtUp(),
      onClose: (end) => isCurrent() && this.#closed(end),
      onSyncFailed: (detail) => this.#log.warn({ detail }, 'session.first_sync_failed'),
      ...messages,
      onReceipt: (receipt) => messages.onReceipt(receipt, connectionOf()),
    };
  }

  #paired(): void {
    if (this.#pairing.paired()) this.#options.outbox.expectConnection();
  }

  #opened(phoneNumber: string): void {
    if (this.#state.is !== 'connecting') return;
    const { connection, isCaughtUp, turn } = this.#state;
    turn?.end();
    if (turn) this.#options.counting.login('opened');
    if (this.#isLeaving) {
      this.#state = { is: 'connecting', connection, isCaughtUp, turn: null };
      void this.#takeOff(connection);
      return;
    }
    this.#options.counting.sessionOpened();
    const waitMs = this.#options.config.timings.catchUpWaitMs;
    const catchUpTimer = isCaughtUp ? null : setTimeout(() => this.#caughtUp(), waitMs);
    this.#state = { is: 'open', connection, openedAtMs: performance.now(), catchUpTimer };
    this.#pairing.end();
    this.#reports.opened(phoneNumber);
    this.#options.outbox.opened(connection);
    if (isCaughtUp) this.#options.outbox.caughtUp();
    this.#options.onOpened();
  }

  #caughtUp(): void {
    if (this.#state.is === 'connecting') this.#state.isCaughtUp = true;
    if (this.#state.is !== 'open') return;
    if (this.#state.catchUpTimer) clearTimeout(this.#state.catchUpTimer);
    this.#state.catchUpTimer = null;
    this.#options.outbox.caughtUp();
  }

  #closed(end: ConnectionEnd): void {
    const lastSeenAt = this.#lastSeenAt();
    if (this.#state.is === 'open') this.#comeback.closed(this.#state.openedAtMs);
    const ending = endingOf(end.code);
    this.#count(ending);
    this.#leave({ is: 'down' });
    this.#options.onClosed();
    this.#log.info({ code: end.code, ending: ending.kind, detail: end.detail }, 'session.closed');
    const unpaired = this.#pairing.unpaired;
    if (unpaired) {
      if (this.#pairing.goesOnAfter(unpaired, end)) this.#reconnect(this.#comeback.nextWaitMs());
      return;
    }
    switch (ending.kind) {
      case 'restart':
        this.#options.outbox.lost();
        this.#options.outbox.expectConnection();
        this.#reconnect(this.#comeback.waitAfterRestartMs());
        return;
      case 'ended':
        if (ending.reason !== 'banned' && this.#pairing.beginsAnew()) {
          DeviceKeys.discard(this.#options.vault);
          this.#options.outbox.lost();
          this.#reconnect(this.#comeback.nextWaitMs());
          return;
        }
        // If it was to go and the network does not know it any more, an earlier attempt has taken it off.
        this.#unlinked(
          this.#isLeaving && ending.reason !== 'banned' ? 'logged_out_on_request' : ending.reason,
        );
        return;
      case 'lost':
        if (ending.reason === 'client_outdated') this.#options.versions.expire();
        // In this order: what comes back to an edge that takes the session for open would be handed over at once.
        this.#reports.lost(ending.reason, lastSeenAt, end.expiresInMs);
        this.#options.outbox.lost();
        this.#reconnect(this.#comeback.waitAfterLossMs(ending.comeBack, end));
    }
  }

  /**
   * How a connection has just ended. If the network only asks for a new one, it is not a failure, and a pairing is not a
   * login.
   */
  #count(ending: Ending): void {
    if (ending.kind === 'restart') return;
    if (this.#state.is === 'open') this.#options.counting.lost(ending.reason);
    else if (this.#state.is === 'connecting' && this.#state.turn) this.#options.counting.login(ending.reason);
  }

  #reconnect(waitMs: number): void {
    if (this.#isEnded) return;
    const timer = setTimeout(() => {
      this.#connect().catch((error) =>
        this.#log.error({ error: errorText(error) }, 'session.connect_failed'),
      );
    }, waitMs);
    this.#leave({ is: 'waiting', timer });
  }

  #leave(next: SessionState): void {
    if (this.#state.is === 'open') this.#options.counting.sessionClosed();
    endState(this.#state);
    if (!this.#isEnded) this.#state = next;
  }

  get #connection(): NetworkConnection | null {
    return connectionIn(this.#state);
  }

  get #isEnded(): boolean {
    return this.#state.is === 'ended';
  }

  /** Ends the connection and whatever was to bring it back. */
  async #closeConnection(): Promise<void> {
    const connection = this.#connection;
    this.#leave({ is: 'down' });
    this.#options.onClosed();
    this.#keys = null;
    this.#isLeaving = false;
    this.#pairing.end();
    this.#reports.forgetLoss();
    await connection?.close();
  }

  #lastSeenAt(): string {
    return new Date(this.#connection?.lastHeardAtMs ?? Date.now()).toISOString();
  }
}
