import type { User } from '../accounts/user.ts';

/** What a linked device has shown to others beside its messages. */
type ActivityKind = 'presence' | 'typing' | 'confirmed' | 'read' | 'call_rejected';

/** One thing that a device has shown: `chat` is whom it was for, `what` its state or the id that it is about. */
export type Activity = { kind: ActivityKind; chat: string | null; what: string; at: string };

const keptPerUser = 1_000;

/** What the linked devices of each account were seen doing, oldest first. Ends with the process. */
export class ActivityRecord {
  readonly #byUser = new Map<User, Activity[]>();

  note(user: User, kind: ActivityKind, chat: string | null, what: string): void {
    const seen = this.#byUser.get(user) ?? [];
    seen.push({ kind, chat, what, at: new Date().toISOString() });
    this.#byUser.set(user, seen.slice(-keptPerUser));
  }

  of(user: User): Activity[] {
    return this.#byUser.get(user) ?? [];
  }
}
