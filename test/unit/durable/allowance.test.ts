import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Allowance } from '../../../src/durable/account/allowance.ts';

/** A number with a limit, its account, and what is on its way between the two, in whatever order it arrives. */
class World {
  allowance = new Allowance();
  limit: number;
  clock = 0;
  given = 0;
  readonly toNumber: string[] = [];
  readonly answers: { id: string; takenAt: number }[] = [];
  readonly reports: { remaining: number; asOf: number }[] = [];
  taken: string[] = [];
  lastReport = { remaining: 0, asOf: 0 };
  saved: { left: number | null; pending: string[] } = { left: null, pending: [] };

  constructor(limit: number) {
    this.limit = limit;
    this.#tell();
    this.deliverReport(0);
  }

  give(): void {
    this.given += 1;
    const id = `m${this.given}`;
    this.allowance.given(id);
    this.toNumber.push(id);
    this.#save();
  }

  take(choice: number): void {
    const [id] = this.toNumber.splice(choice % Math.max(1, this.toNumber.length), 1);
    if (id === undefined) return;
    this.taken.push(id);
    this.clock += 1;
    this.answers.push({ id, takenAt: this.clock });
  }

  answer(choice: number): void {
    const [answer] = this.answers.splice(choice % Math.max(1, this.answers.length), 1);
    if (answer) this.allowance.taken(answer.id, answer.takenAt);
  }

  /** Something has raised what may be sent: the number says so. */
  raise(by: number): void {
    this.limit += by;
    this.#tell();
  }

  deliverReport(choice: number): void {
    const [report] = this.reports.splice(choice % Math.max(1, this.reports.length), 1);
    if (!report || report.asOf < this.lastReport.asOf) return;
    this.lastReport = report;
    this.allowance.told(report.remaining, report.asOf);
    this.#save();
  }

  /** The account dies: what was under way arrives or not, and it is asked which of it did. */
  crash(lost: boolean, reportsFirst: boolean): void {
    const { left, pending } = this.saved;
    this.allowance = new Allowance(left, pending);
    if (!lost) while (this.toNumber.length > 0) this.take(0);
    this.toNumber.length = 0;
    this.answers.length = 0;
    this.reports.length = 0;
    // Nobody has asked yet: a report may come first.
    if (reportsFirst) this.settleReport();
    for (const id of pending) {
      if (this.taken.includes(id)) this.allowance.taken(id, null);
      else this.allowance.notTaken(id);
    }
  }

  /** Everything that is on its way arrives. */
  settle(): void {
    while (this.toNumber.length > 0) this.take(0);
    while (this.answers.length > 0) this.answer(0);
    while (this.reports.length > 0) this.deliverReport(0);
  }

  settleReport(): void {
    this.#tell();
    this.deliverReport(0);
  }

  get room(): number {
    return this.limit - this.taken.length;
  }

  #tell(): void {
    this.clock += 1;
    this.reports.push({ remaining: this.room, asOf: this.clock });
  }

  #save(): void {
    const pending = [...this.toNumber, ...this.answers.map(({ id }) => id)];
    this.saved = { left: this.allowance.left, pending };
  }
}

const steps = (more: fc.Arbitrary<[string, number]>[] = []) =>
  fc.array(
    fc.oneof(
      fc.constant<[string, number]>(['give', 0]),
      fc.tuple(fc.constantFrom('take', 'answer', 'deliverReport', 'raise'), fc.nat(9)),
      ...more,
    ),
    { maxLength: 80 },
  );

function run(world: World, list: [string, number][], check: () => void): void {
  for (const [step, value] of list) {
    if (step === 'give') world.give();
    if (step === 'take') world.take(value);
    if (step === 'answer') world.answer(value);
    if (step === 'deliverReport') world.deliverReport(value);
    if (step === 'raise') world.raise(value);
    if (step === 'crash') world.crash(value % 2 === 0, value % 3 === 0);
    check();
  }
}

describe('what an account believes that a number may still send', () => {
  test('is never more than it may, however reports and answers cross; and exactly that once all have come', () => {
    fc.assert(
      fc.property(fc.nat(20), steps(), (limit, list) => {
        const world = new World(limit);
        run(world, list, () => {
          expect(world.allowance.left).toBeLessThanOrEqual(world.room - world.toNumber.length);
        });
        world.settle();
        expect(world.allowance.left).toBe(world.room);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is never more than it may after the account has died midway, and right again with the next report', () => {
    const crash = fc.tuple(fc.constant('crash'), fc.nat(9));
    fc.assert(
      fc.property(fc.nat(20), steps([crash]), (limit, list) => {
        const world = new World(limit);
        run(world, list, () => {
          expect(world.allowance.left).toBeLessThanOrEqual(world.room - world.toNumber.length);
        });
        world.settle();
        world.raise(0);
        world.settle();
        expect(world.allowance.left).toBe(world.room);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is without a limit for a number that has none', () => {
    const allowance = new Allowance();
    allowance.told(null, 1);
    allowance.given('m1');
    expect(allowance.left).toBeNull();
  });
});
