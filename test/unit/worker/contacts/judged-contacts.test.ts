import { describe, expect, test } from 'vitest';
import {
  importBody,
  importFileFields,
  judgeAll,
  shownImport,
} from '../../../../src/worker/features/contacts/imports/import-request.ts';
import { judgeContact, type RawContact } from '../../../../src/worker/features/contacts/judge-contact.ts';

const phoneNumber = '+62 812 3456 789';
const nobody: ReadonlySet<string> = new Set();
const judge = (more: Partial<RawContact> = {}) => judgeContact({ phoneNumber, ...more }, null, nobody);
/** What is wrong with it; null where nothing is. */
const wrong = (more: Partial<RawContact>) => {
  const judged = judge(more);
  return judged.ok ? null : `${judged.code} ${judged.path}`;
};

describe('a contact of an import', () => {
  test('has what it says, without the blanks around it, and nothing for what is empty', () => {
    expect(judge({ name: ' Ana ', labels: [' vip ', '', ' '], timeZone: ' Asia/Jakarta ' })).toEqual({
      ok: true,
      contact: {
        ...{ phoneNumber: '628123456789', name: 'Ana', labels: ['vip'], attributes: {} },
        timeZone: 'Asia/Jakarta',
      },
    });
    expect(judge({ name: '  ', timeZone: ' ', attributes: { city: 'Lima' } })).toEqual({
      ok: true,
      contact: { phoneNumber: '628123456789', labels: [], attributes: { city: 'Lima' } },
    });
  });

  test.each([
    ['no phone number', { phoneNumber: 'Ana' }, 'RECIPIENT_INVALID phoneNumber'],
    ['a name of 100 characters', { name: 'x'.repeat(100) }, null],
    ['one of 101', { name: 'x'.repeat(101) }, 'VALIDATION_ERROR name'],
    ['fifty labels', { labels: Array.from({ length: 50 }, (_, index) => `l${index}`) }, null],
    [
      'one more',
      { labels: Array.from({ length: 51 }, (_, index) => `l${index}`) },
      'VALIDATION_ERROR labels',
    ],
    ['a label of 50 characters', { labels: ['x'.repeat(50)] }, null],
    ['one of 51', { labels: ['x'.repeat(51)] }, 'VALIDATION_ERROR labels'],
    ['no time zone of the world', { timeZone: 'Asia/Nowhere' }, 'VALIDATION_ERROR timeZone'],
  ])('with %s is taken or refused for that', (_, more, expected) => {
    expect(wrong(more)).toBe(expected);
  });

  test('is read by the default country, and by digits that the account knows', () => {
    const national = { phoneNumber: '0812 3456 789' };
    expect(judgeContact(national, null, nobody).ok).toBe(false);
    expect(judgeContact(national, 'ID', nobody)).toMatchObject({ contact: { phoneNumber: '628123456789' } });
    const unknown = { phoneNumber: '9990000000000' };
    expect(judgeContact(unknown, null, nobody).ok).toBe(false);
    expect(judgeContact(unknown, null, new Set(['9990000000000']))).toMatchObject({
      contact: { phoneNumber: '9990000000000' },
    });
  });

  test('that is refused has its row and its reason, and those beside it are taken with theirs', () => {
    const body = importBody.parse({
      contacts: [{ phoneNumber }, { phoneNumber: 'Ana' }, { phoneNumber: '0812 3456 780' }],
      consentSource: 'fair',
      defaultCountry: 'ID',
    });
    const { fit, refused } = judgeAll(body, nobody);
    expect(fit.map(({ row, contact }) => [row, contact.phoneNumber])).toEqual([
      [1, '628123456789'],
      [3, '628123456780'],
    ]);
    expect(refused).toMatchObject([{ row: 2, code: 'RECIPIENT_INVALID', path: 'phoneNumber' }]);
  });
});

describe('what goes with a file of contacts', () => {
  const labelsOf = (labels: string) => importFileFields.safeParse({ labels }).data?.labels;

  test('has labels with commas between them, each once it has something in it', () => {
    expect(labelsOf('vip, fair ,2026')).toEqual(['vip', 'fair', '2026']);
    expect(labelsOf('vip,, ,')).toEqual(['vip']);
    expect(labelsOf('')).toEqual([]);
    expect(labelsOf('x'.repeat(51))).toBeUndefined();
  });

  test('has a country in two capital letters, and a mapping that is JSON', () => {
    const fits = (fields: object) => importFileFields.safeParse(fields).success;
    expect(['ID', 'id', 'XX', 'IDN'].map((defaultCountry) => fits({ defaultCountry }))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(fits({ mapping: '{"Phone":"phoneNumber"}' })).toBe(true);
    expect(fits({ mapping: '{"Phone":' })).toBe(false);
    expect(fits({ mapping: '{"Phone":"nothing"}' })).toBe(false);
    expect(fits({ other: 'x' })).toBe(false);
  });
});

describe('an import is shown', () => {
  const about = {
    ...{ consentSource: 'fair', labels: [], fileName: 'a.csv', defaultCountry: null, mapping: {} },
    shape: { bytes: 200, columns: [], delimiter: ',', newline: '\n', start: 0 },
  };
  const running = {
    ...{ importId: 'one', status: 'running' as const, about, createdAt: 0, finishedAt: null },
    ...{ place: 50, row: 3, created: 2, updated: 1, refusedCount: 0, refused: [], problem: null },
  };

  test('with how much of it is read: of a file the part, of JSON and of what has finished all', () => {
    const progress = (more: object) => shownImport({ ...running, ...more }).progress;
    expect(progress({})).toBe(0.25);
    expect(progress({ place: 300 })).toBe(1);
    expect(progress({ status: 'failed' })).toBe(0.25);
    expect(progress({ status: 'finished' })).toBe(1);
    expect(progress({ about: { ...about, shape: null }, place: 0 })).toBe(1);
  });

  test('with the first hundred of its refused rows, each with what was wrong and where', () => {
    const refusal = { code: 'VALIDATION_ERROR' as const, path: 'name', message: 'Too long.' };
    const refused = Array.from({ length: 101 }, (_, index) => ({ row: index + 1, ...refusal }));
    const shown = shownImport({ ...running, refused }).refused;
    expect(shown).toHaveLength(100);
    const details = [{ path: 'name', message: 'Too long.' }];
    expect(shown[0]).toEqual({ row: 1, error: { code: 'VALIDATION_ERROR', message: 'Too long.', details } });
  });
});
