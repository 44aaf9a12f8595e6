import '../../../src/network-simulator/quiet-console.ts';
import {
  type AuthenticationCreds,
  type BaileysEventMap,
  initAuthCreds,
  makeWASocket,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  type WAMessage,
} from '@whiskeysockets/baileys';
import pino from 'pino';
import { scanQr } from './admin-client.ts';
import { until } from './until.ts';

export type Socket = ReturnType<typeof makeWASocket>;
type Credentials = { creds: AuthenticationCreds; keys: SignalKeyStore };

/** Credentials and keys in memory; they outlive the sockets that use them. */
function newCredentials(): Credentials {
  const stored = new Map<string, unknown>();
  return {
    creds: initAuthCreds(),
    keys: {
      get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
        const found: { [id: string]: SignalDataTypeMap[T] } = {};
        for (const id of ids) {
          const value = stored.get(`${type} ${id}`);
          if (value !== undefined) found[id] = value as SignalDataTypeMap[T];
        }
        return found;
      },
      set(changes) {
        for (const [type, values] of Object.entries(changes)) {
          for (const [id, value] of Object.entries(values ?? {})) {
            if (value === null) stored.delete(`${type} ${id}`);
            else stored.set(`${type} ${id}`, value);
          }
        }
      },
    },
  };
}

export type ReceiptSeen = {
  id: string;
  type: string;
  from: string;
  participant?: string;
  recipient?: string;
};

/** An unmodified Baileys client that writes down what it is told. */
export class LinkedClient {
  readonly credentials: Credentials;
  readonly options: Partial<UserFacingSocketConfig>;
  socketUrl: string;
  socket!: Socket;
  qrCodes: string[] = [];
  acks: { id: string; error: string | undefined }[] = [];
  receipts: ReceiptSeen[] = [];
  messages: WAMessage[] = [];
  groups: string[] = [];
  closedWith: number | undefined;
  isOpen = false;
  caughtUp = false;
  #sent = new Map<string, WAMessage['message']>();

  constructor(
    socketUrl: string,
    options: Partial<UserFacingSocketConfig> = {},
    credentials = newCredentials(),
  ) {
    this.socketUrl = socketUrl;
    this.options = options;
    this.credentials = credentials;
  }

  connect(): void {
    const { creds, keys } = this.credentials;
    this.closedWith = undefined;
    this.isOpen = false;
    this.caughtUp = false;
    this.socket = makeWASocket({
      auth: { creds, keys },
      waWebSocketUrl: this.socketUrl,
      logger: pino({ level: 'silent' }),
      retryRequestDelayMs: 10,
      getMessage: async ({ id }) => this.#sent.get(id ?? '') ?? undefined,
      ...this.options,
    });
    const { ev, ws } = this.socket;
    ev.on('creds.update', (update) => Object.assign(creds, update));
    ev.on('connection.update', (update) => this.#connectionChanged(update));
    ev.on('messages.upsert', (upsert) => this.messages.push(...upsert.messages));
    ev.on('groups.upsert', (groups) => this.groups.push(...groups.map((group) => group.id)));
    ws.on('close', () => void ev.flush());
    ws.on('CB:ack,class:message', ({ attrs }) => this.acks.push({ id: attrs.id, error: attrs.error }));
    ws.on('CB:receipt', ({ attrs }) =>
      this.receipts.push({
        id: attrs.id,
        type: attrs.type ?? 'delivered',
        from: attrs.from,
        participant: attrs.participant,
        recipient: attrs.recipient,
      }),
    );
  }

  /** Pairs by QR as this number, logs in, and waits until the first history is through. */
  async pair(adminUrl: string, phone: string): Promise<this> {
    this.connect();
    await until(() => this.qrCodes.length > 0, 'a QR code');
    await scanQr(adminUrl, this.qrCodes[0] ?? '', phone);
    await until(() => this.closedWith === 515, 'the restart after pairing');
    return this.logIn();
  }

  async logIn(): Promise<this> {
    this.connect();
    await until(() => this.isOpen && this.caughtUp, 'an open connection');
    return this;
  }

  async send(jid: string, text: string, messageId?: string): Promise<string> {
    const sent = await this.socket.sendMessage(jid, { text }, messageId ? { messageId } : {});
    const id = sent?.key.id ?? '';
    this.#sent.set(id, sent?.message);
    return id;
  }

  /** Makes a message available for being asked for again. */
  remember(id: string, message: WAMessage['message']): void {
    this.#sent.set(id, message);
  }

  texts(): string[] {
    return this.messages
      .filter((message) => !message.key.fromMe)
      .flatMap(({ message }) => message?.conversation ?? message?.extendedTextMessage?.text ?? []);
  }

  receiptsOf(id: string): string[] {
    return this.receipts.filter((receipt) => receipt.id === id).map((receipt) => receipt.type);
  }

  /** Ends the connection from the client's side, without a logout. */
  async disconnect(): Promise<void> {
    await this.socket.end(undefined);
  }

  #connectionChanged(update: BaileysEventMap['connection.update']): void {
    if (update.qr) this.qrCodes.push(update.qr);
    if (update.receivedPendingNotifications) this.caughtUp = true;
    if (update.connection === 'open') this.isOpen = true;
    if (update.connection === 'close') {
      this.isOpen = false;
      const error = update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined;
      this.closedWith = error?.output?.statusCode ?? 0;
    }
  }
}
