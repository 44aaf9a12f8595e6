import { AsyncLocalStorage } from 'node:async_hooks';
import { proto } from '@whiskeysockets/baileys';
import { bytesField } from '../../../contract/messages/protobuf-field.ts';

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
 * Runs what makes a client, and hands over each salt that reaches this client later on. The network sends the salt only once,
 * with the history or the synchronised settings. A number without its salt may begin no chats (463), and has to be paired again.
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
