import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Group, GroupChange, Participant } from '../../../../src/contract/numbers/group.ts';
import {
  afterChange,
  groupNews,
  isSamePerson,
} from '../../../../src/durable/phone-number/groups/group-diff.ts';

const group: Group = {
  groupId: '120363041234567890@g.us',
  subject: 'Sales',
  description: null,
  owner: null,
  createdAt: null,
  isAnnounce: false,
  isLocked: false,
  joinApproval: false,
  participants: [],
};

/** Person n of a state of the group, under the addresses that are known of them then: at least the alias. */
const memberOf = (n: number, role: Participant['role'], hasPhone: boolean): Participant => ({
  lid: `10000000000${n}`,
  ...(hasPhone && { phoneNumber: `62812345670${n}` }),
  role,
});

const stateOf = (roles: readonly Participant['role'][]) =>
  fc
    .record({
      subject: fc.constantFrom('Sales', 'Support'),
      description: fc.constantFrom(null, '', 'Hello'),
      isAnnounce: fc.boolean(),
      isLocked: fc.boolean(),
      joinApproval: fc.boolean(),
      members: fc.uniqueArray(
        fc.record({
          n: fc.integer({ min: 0, max: 6 }),
          role: fc.constantFrom(...roles),
          hasPhone: fc.boolean(),
        }),
        { selector: ({ n }) => n },
      ),
    })
    .map(({ members, ...settings }) => ({
      ...group,
      ...settings,
      participants: members.map(({ n, role, hasPhone }) => memberOf(n, role, hasPhone)),
    }));

const shown = ({ participants, ...settings }: Group) => ({
  ...settings,
  participants: participants.map(({ lid, role }) => `${lid} ${role}`).sort(),
});

test('whoever follows the news of a group has it as the network has it, and of one that has not changed there are none', () => {
  fc.assert(
    fc.property(stateOf(['member', 'admin']), stateOf(['member', 'admin']), (before, after) => {
      let followed: Group = before;
      for (const news of groupNews(before, after)) {
        if (news.event === 'group.created') throw new Error('it was there before');
        const change =
          news.event === 'group.updated'
            ? { kind: 'settings', settings: news.changes }
            : { kind: 'participants', action: news.action, participants: news.participants };
        followed = afterChange(followed, change as GroupChange);
        // Who came as an admin is told with that role.
        if (news.event === 'group.participants' && news.action === 'add') {
          const cameAs = (one: Participant) =>
            (news.participants as Participant[]).find((person) => isSamePerson(person, one))?.role;
          followed = {
            ...followed,
            participants: followed.participants.map((one) => ({ ...one, role: cameAs(one) ?? one.role })),
          };
        }
      }
      expect(shown(followed)).toEqual(shown(after));
      expect(groupNews(after, after)).toEqual([]);
    }),
  );
});

test('somebody is one member under the alias, the phone number and both, who joins once, and goes by either', () => {
  const [alias, phone, both] = [{ lid: '1' }, { phoneNumber: '62812' }, { lid: '1', phoneNumber: '62812' }];
  const withOne = (person: object): Group => ({ ...group, participants: [{ ...person, role: 'member' }] });
  for (const [one, other] of [
    [alias, both],
    [phone, both],
    [both, alias],
    [both, phone],
  ] as const) {
    expect(groupNews(withOne(one), withOne(other))).toEqual([]);
    const change = (action: 'add' | 'remove' | 'promote') =>
      afterChange(withOne(one), { kind: 'participants', action, participants: [other] } as GroupChange);
    expect(change('add').participants).toHaveLength(1);
    expect(change('remove').participants).toEqual([]);
    expect(change('promote').participants).toMatchObject([{ role: 'admin' }]);
  }
  // Digits of an alias are no phone number.
  expect(groupNews(withOne({ lid: '62812' }), withOne(phone))).toMatchObject([
    { action: 'add', participants: [phone] },
    { action: 'remove', participants: [{ lid: '62812' }] },
  ]);
});

test('the owner of a group stays its owner when they are made an admin, and is a member when that is taken from them', () => {
  const owned: Group = { ...group, participants: [{ lid: '1', role: 'owner' }] };
  const after = (action: 'promote' | 'demote') =>
    afterChange(owned, { kind: 'participants', action, participants: [{ lid: '1' }] } as GroupChange);
  expect(after('promote').participants).toMatchObject([{ role: 'owner' }]);
  expect(after('demote').participants).toMatchObject([{ role: 'member' }]);
  expect(groupNews(after('demote'), owned)).toMatchObject([{ action: 'promote' }]);
  expect(groupNews(owned, after('demote'))).toMatchObject([{ action: 'demote' }]);
  const handedOn: Group = { ...group, participants: [{ lid: '1', role: 'admin' }] };
  expect(groupNews(owned, handedOn)).toMatchObject([{ action: 'demote' }]);
  expect(groupNews(handedOn, owned)).toMatchObject([{ action: 'promote' }]);
});
