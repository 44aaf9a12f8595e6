import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import { type BinaryNode, jidEncode, proto } from '@whiskeysockets/baileys';
import type { ChatType } from '../../contract/messages/message.ts';
import { bytesField } from '../../contract/messages/protobuf-field.ts';
import type { DeviceKeys } from './keys/auth-state.ts';

export const saltNote = { type: 'privacy-salt', id: 'own' } as const;
/** A recipient's token is good for the week in which it was given and the three after it. */
const bucketSeconds = 7 * 86_400;
const buckets = 4;

/**
 * Tokens that prove to the network that this number may write to somebody. People who have written to it gave it a token,
 * which the client stores and sends by itself. To everybody else the number sends a token of its own, made with the salt of
 * its account.
 */
export class PrivacyTokens {
  readonly #keys: DeviceKeys;
  #salt: Promise<Buffer | null> | null = null;

  constructor(keys: DeviceKeys) {
    this.#keys = keys;
  }

  /** The network gave the salt away: it is not given again. */
  keepSalt(salt: Uint8Array): void {
    this.#salt = null;
    this.#keys.writeNote(saltNote.type, saltNote.id, JSON.stringify(Buffer.from(salt).toString('base64')));
  }

  /** What goes along with a message. `to`: digits of a phone number, or `<digits>@lid`. */
  async nodesFor(to: string, chatType: ChatType): Promise<BinaryNode[]> {
    if (chatType === 'group') return [];
    const [digits = '', server] = to.split('@');
    this.#salt ??= this.#storedSalt();
    const [lid, salt] = await Promise.all([server ? digits : this.#keys.aliasOf(digits), this.#salt]);
    // Both kinds are about the alias; who has none needs none.
    if (salt === null || lid === null) return [];
    const address = jidEncode(lid, 'lid');
    if (await this.#hasToken(address)) return [];
    const content = createHmac('sha256', salt).update(address).digest();
    return [{ tag: 'cstoken', attrs: {}, content }];
  }

  async #storedSalt(): Promise<Buffer | null> {
    const json = await this.#keys.readNote(saltNote.type, saltNote.id).catch((error) => {
      this.#salt = null;
      throw error;
    });
    return json === null ? null : Buffer.from(JSON.parse(json) as string, 'base64');
  }

  async #hasToken(address: string): Promise<boolean> {
    const entry = (await this.#keys.auth.keys.get('tctoken', [address]))[address];
    const givenAt = Number(entry?.timestamp);
    if (!entry?.token?.length || !Number.isFinite(givenAt)) return false;
    const thisBucket = Math.floor(Date.now() / 1000 / bucketSeconds);
    return givenAt >= (thisBucket - (buckets - 1)) * bucketSeconds;
  }
}

/** Where the network puts the salt: fields that the client does not know, and drops. */
const saltInHistory = 19;
const saltActionInValue = 80;
const saltInAction = 1;

/** A message that is being decoded: on its own, or as a part of the one that the reader stands in. */
type Encoded = Uint8Array | { buf: Uint8Array; pos: number; len: number };
interface Decoder {
  decode: (encoded: Encoded, length?: number, ...rest: unknown[]) => unknown;
}

const whose = new AsyncLocalStorage<(salt: Uint8Array) => void>();

/**
 * Runs the function that creates a client, and passes on each salt that reaches this client later. The network sends the salt
 * only once, with the history or the synchronised settings. A number without its salt can start no chats (463) and has to be
 * paired again.
 */
export function withSaltCapture<Client>(
  onSalt: (salt: Uint8Array) => void,
  makeClient: () => Client,
): Client {
  return whose.run(onSalt, makeClient);
}

function look(decoder: Decoder, saltIn: (message: Uint8Array) => Uint8Array | null): void {
  const { decode } = decoder;
  decoder.decode = (encoded, length, ...rest) => {
    const salt = saltIn(bytesOf(encoded, length));
    if (salt?.length) whose.getStore()?.(Uint8Array.from(salt));
    return decode(encoded, length, ...rest);
  };
}

function bytesOf(encoded: Encoded, length: number | undefined): Uint8Array {
  if (encoded instanceof Uint8Array) return encoded;
  return encoded.buf.subarray(encoded.pos, length === undefined ? encoded.len : encoded.pos + length);
}

look(proto.HistorySync as unknown as Decoder, (history) => bytesField(history, saltInHistory));
look(proto.SyncActionValue as unknown as Decoder, (value) => {
  const action = bytesField(value, saltActionInValue);
  return action && bytesField(action, saltInAction);
});
