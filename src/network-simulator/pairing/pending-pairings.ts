import type { KeyPair } from '@whiskeysockets/baileys';
import type { DeviceKeys } from '../accounts/devices.ts';
import type { User } from '../accounts/user.ts';
import type { Refusal } from '../refusal.ts';
import type { ClientConnection } from '../wire/client-connection.ts';

/** A device that was told it is linked, and has yet to sign for it. */
type UnsignedDevice = { user: User; number: number; keys: DeviceKeys };

/** A pairing by code under way: what the client sent, and, once the code was typed on the phone, the phone's half. */
type LinkCodeExchange = {
  connection: ClientConnection;
  ref: Buffer;
  wrappedCompanionKey: Buffer;
  phoneHalf: { ephemeral: KeyPair; companionKey: Buffer; settle: (refusal?: Refusal) => void } | undefined;
};

/** Connections that wait to be linked. Nothing here outlives its connection. */
export class PendingPairings {
  readonly #byRef = new Map<string, ClientConnection>();
  readonly #retiredSecrets = new Map<ClientConnection, Set<string>>();
  readonly #unsigned = new Map<ClientConnection, UnsignedDevice>();
  readonly #codes = new Map<string, LinkCodeExchange>();
  /** Ids of notices that a client has yet to acknowledge, with whoever waits for that. */
  readonly #unacknowledged = new Map<ClientConnection, Map<string, () => void>>();

  offer(connection: ClientConnection, refs: string[]): void {
    for (const ref of refs) this.#byRef.set(ref, connection);
  }

  byRef(ref: string): ClientConnection | undefined {
    return this.#byRef.get(ref);
  }

  /** From now on a QR code of this connection that bears `secret` links nothing. */
  retireSecret(connection: ClientConnection, secret: string): void {
    const retired = this.#retiredSecrets.get(connection) ?? new Set();
    this.#retiredSecrets.set(connection, retired.add(secret));
  }

  isRetired(connection: ClientConnection, secret: string): boolean {
    return this.#retiredSecrets.get(connection)?.has(secret) === true;
  }

  /** Calls back once the client acknowledges the notice with this id. */
  awaitAcknowledgement(connection: ClientConnection, id: string, acknowledged: () => void): void {
    const waiting = this.#unacknowledged.get(connection) ?? new Map<string, () => void>();
    this.#unacknowledged.set(connection, waiting.set(id, acknowledged));
  }

  acknowledge(connection: ClientConnection, id: string): void {
    const waiting = this.#unacknowledged.get(connection);
    waiting?.get(id)?.();
    waiting?.delete(id);
  }

  awaitSignature(connection: ClientConnection, device: UnsignedDevice): void {
    this.#unsigned.set(connection, device);
  }

  takeUnsigned(connection: ClientConnection): UnsignedDevice | undefined {
    const device = this.#unsigned.get(connection);
    this.#unsigned.delete(connection);
    return device;
  }

  putCode(phone: string, exchange: LinkCodeExchange): void {
    this.#codes.set(phone, exchange);
  }

  codeFor(phone: string): LinkCodeExchange | undefined {
    return this.#codes.get(phone);
  }

  forget(connection: ClientConnection): void {
    for (const [ref, owner] of this.#byRef) if (owner === connection) this.#byRef.delete(ref);
    for (const [phone, exchange] of this.#codes) {
      if (exchange.connection === connection) this.#codes.delete(phone);
    }
    this.#retiredSecrets.delete(connection);
    this.#unacknowledged.delete(connection);
    this.#unsigned.delete(connection);
  }
}
