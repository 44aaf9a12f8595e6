import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { defaultAccountSettings } from '../../../src/contract/account-settings.ts';
import { type Refusal, refuse } from '../../../src/contract/errors.ts';
import { newCase } from '../../../src/durable/event-log/support/cases/case-course.ts';
import { CaseRows } from '../../../src/durable/event-log/support/cases/case-rows.ts';
import { SurveyRows } from '../../../src/durable/event-log/support/surveys/survey-rows.ts';
import { Surveys } from '../../../src/durable/event-log/support/surveys/surveys.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { newLog, start } from '../event-log/event-log-fixture.ts';

const dayMs = 86_400_000;
const survey = { question: 'How did we do, from 1 to 5?', everyDays: 30 };
const [phoneNumber, lid] = ['628123456789', '100000000000017'];

/** Surveys in a storage of their own; `send` says what came of each. */
const inStage = (send: (to: string) => { ok: true } | Refusal, work: (stage: Stage) => unknown) =>
  runInDurableObject(newLog(), (_, { storage }) => work(stageIn(storage, send)));
type Stage = ReturnType<typeof stageIn>;

function stageIn(storage: DurableObjectStorage, send: (to: string) => { ok: true } | Refusal) {
  const settings = { ...defaultAccountSettings.support, survey };
  const surveys = new Surveys({
    storage,
    accountId: newUuid(),
    rows: new SurveyRows(storage.sql),
    cases: new CaseRows(storage.sql),
    snapshot: { settings } as never,
    isResolved: () => true,
    send: async ({ to }) => send(to),
  });
  return {
    surveys,
    /** A conversation of somebody, who was answered, is resolved. */
    resolved(address: { phoneNumber: string | null; lid: string | null }, at: number) {
      const conversation = { conversationId: newUuid(), numberId: newUuid(), ...address };
      const begun = newCase({ ...conversation, waitingSince: null, assigneeId: null, teamId: null }, at);
      surveys.resolved(conversation, { ...begun, firstWaitingAt: at, firstResponseAt: at }, at);
      return conversation;
    },
    /** Runs whatever is due, until nothing is; when it was. */
    async runAll(): Promise<number[]> {
      const times: number[] = [];
      for (let at = surveys.dueAt(); at !== null && times.length < 20; at = surveys.dueAt()) {
        times.push(at);
        await surveys.run(at);
      }
      return times;
    },
  };
}

test('who was asked under their alias is not asked again so soon under the phone number that shows by then', async () => {
  const asked: string[] = [];
  const send = (to: string) => {
    asked.push(to);
    return { ok: true } as const;
  };
  await inStage(send, async ({ resolved, runAll }) => {
    resolved({ phoneNumber: null, lid }, start);
    await runAll();
    for (const days of [1, 29, 31]) {
      resolved({ phoneNumber, lid }, start + days * dayMs);
      await runAll();
    }
  });
  expect(asked).toEqual([`${lid}@lid`, phoneNumber]);
});

test('a question that cannot be sent is tried again later and later, and then nobody is asked', () =>
  inStage(
    () => refuse('QUOTA_EXCEEDED', 'Next month.'),
    async ({ resolved, runAll }) => {
      resolved({ phoneNumber, lid: null }, start);
      const minutes = (await runAll()).map((at) => (at - start) / 60_000);
      expect(minutes).toEqual([0, 1, 11, 71, 431]);
    },
  ));

test('a number that is written in another conversation than the one that was asked about is no rating', () =>
  inStage(
    () => ({ ok: true }),
    async ({ surveys, resolved, runAll }) => {
      const asked = resolved({ phoneNumber, lid: null }, start);
      await runAll();
      const other = { ...asked, conversationId: newUuid() };
      expect([other, asked].map((one) => surveys.answered(one, '5', start + 1_000))).toEqual([false, true]);
    },
  ));

test('nobody who is erased is asked, whichever address they were to be asked under', () =>
  inStage(
    () => ({ ok: true }),
    ({ surveys, resolved }) => {
      resolved({ phoneNumber: null, lid }, start);
      resolved({ phoneNumber, lid: null }, start);
      surveys.forget(phoneNumber);
      expect(surveys.dueAt()).toBe(start);
      surveys.forget(lid);
      expect(surveys.dueAt()).toBeNull();
    },
  ));

test('a person is asked in time, also where the clock was set back meanwhile', () =>
  inStage(
    () => ({ ok: true }),
    async ({ surveys, resolved }) => {
      resolved({ phoneNumber, lid: null }, Date.now() + dayMs);
      expect(surveys.dueAt()).toBeLessThan(Date.now());
      await surveys.run(Date.now());
      expect(surveys.dueAt()).toBeNull();
    },
  ));
