import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { leaseTimes, revokedDrainMs } from '../../../src/contract/bridge/bridge-frames.ts';
import type { BridgeFleet } from '../../../src/durable/bridge-fleet/bridge-fleet.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { newFleet } from './fleet-stage.ts';

type Fleet = ReturnType<typeof newFleet>;
type Control = Awaited<ReturnType<Fleet['linked']>>;

/** What a bridge has of a number. */
interface Held {
  epoch: number;
  /** When it was told to give it up; milliseconds since 1970. */
  revokedAt: number | null;
}

/** A bridge as the protocol asks one to be: it believes what it has heard, and its own clock. */
class ModelBridge {
  readonly bridgeId = newUuid();
  readonly capacity: number;
  readonly held = new Map<string, Held>();
  control: Control | null = null;
  /** It neither hears nor is heard, and goes on by what it knows. */
  isCut = false;
  #read = 0;
  #leasesUntil = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  async link(fleet: Fleet): Promise<void> {
    const leases = [...this.held].map(([numberId, { epoch }]) => ({ numberId, epoch }));
    this.control = await fleet.linked({ bridgeId: this.bridgeId, capacity: this.capacity, leases }, true);
    this.#read = 0;
    this.isCut = false;
    this.read();
    this.pinged();
  }

  close(): void {
    if (this.control?.closed === null) this.control.close();
    this.control = null;
  }

  /** The fleet has heard its ping just now, and it the answer. */
  pinged(): void {
    this.#leasesUntil = Date.now() + leaseTimes.validMsMin;
  }

  get isHeard(): boolean {
    return this.control !== null && this.control.closed === null && !this.isCut;
  }

  /** What came before the answer to a ping has come too. */
  async settle(): Promise<void> {
    const { control } = this;
    if (control === null || control.closed !== null) return;
    const { pongs } = control;
    control.ping();
    await until(() => control.pongs > pongs || control.closed !== null);
    if (!this.isCut) this.read();
  }

  /** Frames that have come and were not looked at. */
  read(): void {
    const heard = this.control?.heard ?? [];
    for (; this.#read < heard.length; this.#read += 1) {
      const frame = heard[this.#read];
      if (frame?.type === 'lease.granted') {
        const { numberId, epoch } = frame;
        if ((this.held.get(numberId)?.epoch ?? 0) < epoch)
          this.held.set(numberId, { epoch, revokedAt: null });
      } else if (frame?.type === 'lease.revoked') {
        const held = this.held.get(frame.numberId);
        if (held?.epoch === frame.epoch) held.revokedAt ??= Date.now();
      } else if (frame?.type === 'lease.expired') {
        if (this.held.get(frame.numberId)?.epoch === frame.epoch) this.held.delete(frame.numberId);
      }
    }
  }

  /** Gives up what it was told to give up `sinceMs` ago or longer. */
  giveUp(sinceMs: number): void {
    for (const [numberId, { epoch, revokedAt }] of this.held) {
      if (revokedAt === null || revokedAt + sinceMs > Date.now()) continue;
      this.held.delete(numberId);
      if (this.isHeard) this.control?.say({ type: 'lease.released', numberId, epoch });
    }
  }

  drives(numberId: string): boolean {
    return this.held.has(numberId) && Date.now() < this.#leasesUntil;
  }
}

/** Each bridge that is heard pings so often: well within its leases. */
const stepMs = leaseTimes.validMsMin / 2;

/** A fleet, bridges and numbers, and a clock that only moves as it is told. */
class World {
  readonly #fleet = newFleet();
  readonly bridges: ModelBridge[];
  readonly #accounts = [newUuid(), newUuid()];
  readonly numbers = Array.from({ length: 5 }, () => newUuid());
  readonly #wanted = new Set<string>();
  /** The newest epoch of each number, and whose it was. */
  readonly #epochs = new Map<string, { epoch: number; bridgeId: string }>();

  constructor(capacities: readonly number[]) {
    this.bridges = capacities.map((capacity) => new ModelBridge(capacity));
  }

  async want(index: number): Promise<void> {
    const numberId = this.numbers[index] ?? '';
    this.#wanted.add(numberId);
    await this.#fleet.fleet.acquire(numberId, this.#accounts[index % 2] ?? null);
  }

  async release(index: number): Promise<void> {
    const numberId = this.numbers[index] ?? '';
    this.#wanted.delete(numberId);
    await this.#fleet.fleet.release(numberId);
  }

  async link(bridge: ModelBridge): Promise<void> {
    await bridge.link(this.#fleet);
  }

  async drain(bridge: ModelBridge, isDrained: boolean): Promise<void> {
    await this.#fleet.fleet.setDrained(bridge.bridgeId, isDrained);
  }

  /** The fleet's object begins a new life, as at a deploy. */
  async evict(): Promise<void> {
    await this.#fleet.fleet.stats();
    await evictDurableObject(this.#fleet.fleet);
    await this.#fleet.fleet.stats();
  }

  async pass(ms: number): Promise<void> {
    for (const until = Date.now() + ms; Date.now() < until; ) {
      vi.setSystemTime(Date.now() + stepMs);
      await this.#ping();
      for (const bridge of this.bridges) bridge.giveUp(revokedDrainMs);
      await runDurableObjectAlarm(this.#fleet.fleet);
      await this.settle();
    }
  }

  /** The platform notes pings by the true clock: here each is written down where the opening of the link is. */
  async #ping(): Promise<void> {
    const heard = this.bridges.filter(({ isHeard }) => isHeard);
    const ids = new Set(heard.map(({ bridgeId }) => bridgeId));
    await runInDurableObject<BridgeFleet, void>(this.#fleet.fleet, (_, state) => {
      for (const socket of state.getWebSockets()) {
        const identity = socket.deserializeAttachment();
        if (ids.has(identity.bridgeId)) socket.serializeAttachment({ ...identity, openedAt: Date.now() });
      }
    });
    for (const bridge of heard) bridge.pinged();
  }

  async settle(): Promise<void> {
    await Promise.all(this.bridges.map((bridge) => bridge.settle()));
    this.#check();
    const known = await this.#fleet.fleet.bridges();
    for (const { bridgeId, leases, capacity } of known)
      expect(leases, `of ${bridgeId}`).toBeLessThanOrEqual(capacity);
  }

  #check(): void {
    for (const numberId of this.numbers) {
      const drivers = this.bridges.filter((bridge) => bridge.drives(numberId));
      expect(drivers.length, 'bridges that drive one number').toBeLessThanOrEqual(1);
    }
    for (const bridge of this.bridges) {
      for (const [numberId, { epoch }] of bridge.held) {
        const newest = this.#epochs.get(numberId) ?? { epoch: 0, bridgeId: '' };
        if (epoch === newest.epoch) expect(newest.bridgeId).toBe(bridge.bridgeId);
        if (epoch > newest.epoch) this.#epochs.set(numberId, { epoch, bridgeId: bridge.bridgeId });
      }
    }
  }

  /** All is well again: whatever has been, each number that wants a bridge gets one, and no other has one. */
  async recover(): Promise<void> {
    for (const bridge of this.bridges) {
      await this.drain(bridge, false);
      await this.link(bridge);
    }
    await this.pass(revokedDrainMs + 2 * leaseTimes.expiresMs);
    const driven = this.numbers.filter((numberId) => this.bridges.some((bridge) => bridge.drives(numberId)));
    const room = this.bridges.reduce((sum, { capacity }) => sum + capacity, 0);
    expect(driven.filter((numberId) => !this.#wanted.has(numberId))).toEqual([]);
    expect(driven).toHaveLength(Math.min(room, this.#wanted.size));
  }

  end(): void {
    for (const bridge of this.bridges) bridge.close();
  }
}

const bridgeIndex = fc.nat({ max: 2 });
const numberIndex = fc.nat({ max: 4 });
const event = fc.oneof(
  fc.record({
    type: fc.constantFrom('want', 'want', 'release', 'want again', 'want again'),
    number: numberIndex,
  }),
  fc.record({
    type: fc.constantFrom('link', 'link', 'close', 'cut', 'drain', 'resume', 'giveUp'),
    bridge: bridgeIndex,
  }),
  fc.record({ type: fc.constant('pass'), ms: fc.constantFrom(stepMs, 2 * stepMs, 6 * stepMs) }),
  fc.record({ type: fc.constant('evict') }),
);
type Event = { type: string; number?: number; bridge?: number; ms?: number };

async function happen(world: World, { type, number = 0, bridge: index = 0, ms = 0 }: Event): Promise<void> {
  const bridge = world.bridges[index];
  if (bridge === undefined) throw new Error('There are three bridges.');
  if (type === 'want') await world.want(number);
  else if (type === 'release') await world.release(number);
  else if (type === 'want again') {
    await world.release(number);
    await world.want(number);
  } else if (type === 'link') await world.link(bridge);
  else if (type === 'close') bridge.close();
  else if (type === 'cut') bridge.isCut = true;
  else if (type === 'drain' || type === 'resume') await world.drain(bridge, type === 'drain');
  else if (type === 'giveUp') bridge.giveUp(0);
  else if (type === 'pass') await world.pass(ms);
  else if (type === 'evict') await world.evict();
  await world.settle();
}

test('whatever bridges and numbers do, no two bridges drive one number, and each that wants a bridge gets one', async () => {
  const capacities = fc.tuple(...[1, 2, 4].map((max) => fc.integer({ min: 1, max })));
  await fc.assert(
    fc.asyncProperty(capacities, fc.array(event, { minLength: 5, maxLength: 30 }), async (rooms, events) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2037-01-01') });
      const world = new World(rooms);
      try {
        for (const bridge of world.bridges) await world.link(bridge);
        for (const it of events) await happen(world, it);
        await world.recover();
      } finally {
        world.end();
        vi.useRealTimers();
      }
    }),
    // Its seed tells the rest: to look for the shortest such course takes minutes.
    { numRuns: 8, endOnFailure: true },
  );
}, 300_000);
