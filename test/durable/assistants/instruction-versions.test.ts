import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { InstructionVersions } from '../../../src/durable/event-log/assistants/reports/instruction-versions.ts';
import { newLog, start } from '../event-log/event-log-fixture.ts';

const keptMs = 400 * 86_400_000;

test('a wording of instructions is kept for 400 days after somebody was answered under it last', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const versions = new InstructionVersions(storage.sql);
    const kept = () => versions.page('assistant', 5, null);
    const used = { version: 'v', text: 'Be kind.' };
    versions.note('assistant', used, start);
    versions.count('assistant', 'v', 'answered', start + 1_000);
    versions.note('assistant', used, start + 2_000);
    const shown = { ...used, firstUsedAt: start, lastUsedAt: start + 1_000, answered: 1, handedOff: 0 };
    expect(kept()).toMatchObject([shown]);
    versions.forgetOld(start + 1_000 + keptMs);
    expect(kept()).toHaveLength(1);
    versions.forgetOld(start + 1_001 + keptMs);
    expect(kept()).toEqual([]);
  }));
