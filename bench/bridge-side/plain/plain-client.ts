/*
 * Plain Baileys sessions with their keys in memory, in a process of their own: what the bridge is compared with. The
 * parent calls the functions below over IPC.
 */
import '../../../src/network-simulator/quiet-console.ts';
import { readFileSync } from 'node:fs';
import { BufferJSON, makeWASocket } from '@whiskeysockets/baileys';
import type { LinkedDevices } from '../linked-devices.ts';
import { type MemoryCredentials, memoryCredentials } from '../memory-credentials.ts';
import type { PlainCalls, SendRun } from './plain-calls.ts';

type Socket = ReturnType<typeof makeWASocket>;

const silent = {
  level: 'silent',
  child: () => silent,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/** Restarts after a pairing are prompt; everything else is a fault of the run. */
const restartRequired = 515;

class PlainSession {
  readonly phone: string;
  readonly #socketUrl: string;
  readonly #adminUrl: string;
  readonly #credentials: MemoryCredentials;
  #socket!: Socket;
  #onAck: ((id: string) => void) | null = null;

  constructor(phone: string, socketUrl: string, adminUrl: string, credentials = memoryCredentials()) {
    this.#credentials = credentials;
    this.phone = phone;
    this.#socketUrl = socketUrl;
    this.#adminUrl = adminUrl;
  }

  /** Links the session to a simulated phone and resolves when it is logged in. */
  async pair(): Promise<void> {
    const ended = await this.#connect(async (qr) => {
      const url = `${this.#adminUrl}/admin/mock-phone/scan-qr?phone=${this.phone}`;
      const answer = await fetch(url, { method: 'POST', body: qr });
      if (!answer.ok) throw new Error(`The simulator refused the QR code with status ${answer.status}.`);
    });
    if (ended !== restartRequired) throw new Error(`The pairing ended with ${ended}.`);
    await this.logIn();
  }

  /** Resolves when the session is open. */
  async logIn(): Promise<void> {
    const ended = await this.#connect(() =>
      Promise.reject(new Error('A QR code was shown to a linked device.')),
    );
    if (ended !== 'open') throw new Error(`The login ended with ${ended}.`);
  }

  /** Sends one text after another, as a loop around `sendMessage` does, and resolves when each is acknowledged. */
  async sendAll(recipients: string[], count: number, acked: number[]): Promise<void> {
    const missing = new Set<string>();
    const early = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    let isSent = false;
    this.#onAck = (id) => {
      acked.push(Date.now());
      if (!missing.delete(id)) early.add(id);
      if (isSent && missing.size === 0) resolve();
    };
    for (let index = 0; index < count; index += 1) {
      const jid = `${recipients[index % recipients.length]}@s.whatsapp.net`;
      const sent = await this.#socket.sendMessage(jid, { text: `text ${index} of the bench` });
      const id = sent?.key.id ?? '';
      if (!early.delete(id)) missing.add(id);
    }
    isSent = true;
    if (missing.size > 0) await promise;
    this.#onAck = null;
  }

  #connect(onQr: (qr: string) => Promise<void>): Promise<number | 'open'> {
    const { promise, resolve, reject } = Promise.withResolvers<number | 'open'>();
    const { creds, keys } = this.#credentials;
    const socket = makeWASocket({ auth: { creds, keys }, waWebSocketUrl: this.#socketUrl, logger: silent });
    this.#socket = socket;
    socket.ev.on('creds.update', (update) => Object.assign(creds, update));
    socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
      if (qr) onQr(qr).catch(reject);
      if (connection === 'open') resolve('open');
      const error = lastDisconnect?.error as { output?: { statusCode?: number } } | undefined;
      if (connection === 'close') resolve(error?.output?.statusCode ?? 0);
    });
    socket.ws.on('CB:ack,class:message', ({ attrs }) => this.#onAck?.(attrs.id));
    return promise;
  }
}

let sessions: PlainSession[] = [];

const calls: PlainCalls = {
  async pair({ socketUrl, adminUrl, phones, atATime }) {
    const made = phones.map((phone) => new PlainSession(phone, socketUrl, adminUrl));
    for (let from = 0; from < made.length; from += atATime) {
      await Promise.all(made.slice(from, from + atATime).map((session) => session.pair()));
    }
    sessions = [...sessions, ...made];
  },
  async send({ recipients, perSession }): Promise<SendRun> {
    const ackedAt: number[] = [];
    const startedAt = Date.now();
    await Promise.all(sessions.map((session) => session.sendAll(recipients, perSession, ackedAt)));
    return { startedAt, ackedAt };
  },
  async logIn({ socketUrl, path, count }) {
    const { credentials, prekeys }: LinkedDevices = JSON.parse(
      readFileSync(path, 'utf8'),
      BufferJSON.reviver,
    );
    sessions = credentials
      .slice(0, count)
      .map((creds) => new PlainSession('', socketUrl, '', memoryCredentials(creds, prekeys)));
    const startedAt = performance.now();
    await Promise.all(sessions.map((session) => session.logIn()));
    return performance.now() - startedAt;
  },
};

process.on('unhandledRejection', () => {});
process.on('disconnect', () => process.exit(0));
process.on('message', (message: { call: keyof PlainCalls; id: number; input: never }) => {
  calls[message.call](message.input).then(
    (answer) => process.send?.({ id: message.id, answer }),
    (error: Error) => process.send?.({ id: message.id, error: error.message }),
  );
});
