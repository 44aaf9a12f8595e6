import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { KnownTeams } from '../../../src/durable/event-log/conversations/assignment/known-teams.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import { newLog } from '../event-log/event-log-fixture.ts';

const team = (id: string) => ({ id, memberIds: ['ada'], autoAssign: true, capPerAgent: null });
const read = (revision: number, ...ids: string[]) => ({ revision, teams: ids.map(team), limited: [] });

test('teams that are read late do not take the place of newer ones, also in a later life', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const teams = () => new KnownTeams(new LogState(storage.sql));
    const now = teams();
    expect(now.replace(read(5, 'desk'))).toBe(true);
    expect(now.replace(read(4, 'night'))).toBe(false);
    expect(teams().replace(read(4, 'night'))).toBe(false);
    for (const one of [now, teams()]) expect(one.givingOut.map(({ id }) => id)).toEqual(['desk']);
    expect(now.replace(read(6, 'desk', 'night'))).toBe(true);
    expect(teams().givingOut.map(({ id }) => id)).toEqual(['desk', 'night']);
  }));
