import type { Refusal } from '../../../contract/errors.ts';
import type { BridgeLink } from '../bridge/bridge-link.ts';
import type { DeviceStore } from '../device/device-store.ts';
import type { NumberState } from '../number-state.ts';
import type { Queries } from '../queries/queries.ts';
import type { Groups } from './groups.ts';

/** The groups come as facts: where they have not come after so long, they are asked for again. */
const retryMs = 120_000;

interface GroupSyncParts {
  groups: Groups;
  queries: Queries;
  device: DeviceStore;
  link: BridgeLink;
  state: NumberState;
}

/**
 * Asks for all groups where they are not known, or something about them was missed. Nobody waits for the answer, so that
 * the object may sleep: what comes of it are facts.
 */
export class GroupSync {
  readonly #parts: GroupSyncParts;

  constructor(parts: GroupSyncParts) {
    this.#parts = parts;
  }

  /** When the network is to be asked; null while nothing is missing, or it cannot be asked. */
  dueAt(): number | null {
    const { groups, queries, device, link, state } = this.#parts;
    if (!groups.isStale || device.current?.state !== 'connected' || !link.ready) return null;
    const askedAt = state.get<number>('groupsAskedAt');
    return Math.max(askedAt === null ? 0 : askedAt + retryMs, queries.heldUntil('groups.sync') ?? 0);
  }

  run(now: number): void {
    this.#parts.state.put('groupsAskedAt', now);
    this.#parts.queries.tell({ verb: 'groups.sync' });
  }

  /** Asks now, whatever is known, and waits until the network has answered: the groups follow as facts. */
  async ask(): Promise<{ ok: true; answer: object } | Refusal> {
    this.#parts.state.put('groupsAskedAt', Date.now());
    return this.#parts.queries.ask({ verb: 'groups.sync' });
  }
}
