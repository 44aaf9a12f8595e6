import { onlyGiven } from '../../../contract/given.ts';
import {
  type Group,
  type GroupChange,
  type Participant,
  type ParticipantAction,
  type Person,
  participantActions,
} from '../../../contract/numbers/group.ts';
import type { GroupNews } from '../../event-log/facts.ts';

/** Whether both are the same person, as far as the network has told. */
export function isSamePerson(one: Person, other: Person): boolean {
  return (
    (one.phoneNumber !== undefined && one.phoneNumber === other.phoneNumber) ||
    (one.lid !== undefined && one.lid === other.lid)
  );
}

const settingNames = ['subject', 'description', 'isAnnounce', 'isLocked', 'joinApproval'] as const;
const ranks = { member: 0, admin: 1, owner: 2 } as const;

/** What has happened to a group between two of its states, as the outside is told; null: it is new. */
export function groupNews(before: Group | null, after: Group): GroupNews[] {
  if (before === null) return [{ event: 'group.created' }];
  const news: GroupNews[] = [];
  const changed = settingNames.filter((name) => before[name] !== after[name]);
  if (changed.length > 0) {
    const changes = Object.fromEntries(changed.map((name) => [name, after[name]]));
    news.push({ event: 'group.updated', changes });
  }
  const moved = movedParticipants(before.participants, after.participants);
  for (const action of participantActions) {
    const participants = moved.filter((one) => one.action === action).map(({ person }) => person);
    if (participants.length > 0) news.push({ event: 'group.participants', action, participants });
  }
  return news;
}

interface Move {
  action: ParticipantAction;
  person: Participant;
}

function movedParticipants(before: readonly Participant[], after: readonly Participant[]): Move[] {
  const earlier = new Members(before);
  const later = new Members(after);
  const moves: Move[] = [];
  for (const person of after) {
    const was = earlier.find(person);
    const step = was ? ranks[person.role] - ranks[was.role] : 0;
    if (!was) moves.push({ action: 'add', person });
    else if (step !== 0) moves.push({ action: step > 0 ? 'promote' : 'demote', person });
  }
  for (const person of before) if (!later.find(person)) moves.push({ action: 'remove', person });
  return moves;
}

/** Members of a group, found by either form of their address. */
class Members {
  readonly #byAddress = new Map<string, Participant>();

  constructor(participants: readonly Participant[]) {
    for (const person of participants) {
      for (const address of addressesOf(person)) this.#byAddress.set(address, person);
    }
  }

  find(person: Person): Participant | undefined {
    for (const address of addressesOf(person)) {
      const found = this.#byAddress.get(address);
      if (found) return found;
    }
    return undefined;
  }
}

const addressesOf = ({ phoneNumber, lid }: Person) => [
  ...(phoneNumber === undefined ? [] : [`+${phoneNumber}`]),
  ...(lid === undefined ? [] : [lid]),
];

/** A group after what the network has told of it. The same group comes back when nothing has changed. */
export function afterChange(group: Group, change: GroupChange): Group {
  switch (change.kind) {
    case 'group':
      return change.group;
    case 'settings':
      return { ...group, ...onlyGiven(change.settings) };
    case 'participants':
      return { ...group, participants: afterMoves(group.participants, change.action, change.participants) };
    case 'join_request':
      return group;
  }
}

function afterMoves(
  participants: readonly Participant[],
  action: ParticipantAction,
  people: readonly Person[],
): Participant[] {
  const isNamed = (person: Person) => people.some((one) => isSamePerson(one, person));
  switch (action) {
    case 'add': {
      const known = new Members(participants);
      const joined = people.filter((person) => !known.find(person));
      return [...participants, ...joined.map((person) => ({ ...person, role: 'member' as const }))];
    }
    case 'remove':
      return participants.filter((person) => !isNamed(person));
    case 'promote':
      return participants.map((person) =>
        isNamed(person) && person.role === 'member' ? { ...person, role: 'admin' as const } : person,
      );
    case 'demote':
      return participants.map((person) =>
        isNamed(person) ? { ...person, role: 'member' as const } : person,
      );
  }
}
