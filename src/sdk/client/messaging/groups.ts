import type {
  ChangeParticipantsRequest,
  CreateGroupRequest,
  DecideJoinRequestsRequest,
  Group,
  GroupInvite,
  JoinedGroup,
  NewGroup,
  ParticipantResults,
  People,
  RequestedGroup,
  UpdateGroupRequest,
} from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

/** The groups that a number is in, and what it changes in them. Takes an API key or a token. */
export class Groups extends Resource {
  /** As the number has heard of them: the network is not asked. */
  list(numberId: string, options: ListOptions = {}): List<Group> {
    return this.listOf([numberId, 'groups'], options);
  }

  get(numberId: string, groupId: string, options: CallOptions = {}): Promise<Group> {
    return this.ask('GET', [numberId, 'groups', groupId], options);
  }

  create(numberId: string, group: CreateGroupRequest, options: CallOptions = {}): Promise<NewGroup> {
    return this.ask('POST', [numberId, 'groups'], options, group);
  }

  update(
    numberId: string,
    groupId: string,
    changes: UpdateGroupRequest,
    options: CallOptions = {},
  ): Promise<Group> {
    return this.ask('PATCH', [numberId, 'groups', groupId], options, changes);
  }

  leave(numberId: string, groupId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [numberId, 'groups', groupId], options);
  }

  /** Adds, removes, promotes or demotes people; each is judged by itself. */
  changeParticipants(
    numberId: string,
    groupId: string,
    change: ChangeParticipantsRequest,
    options: CallOptions = {},
  ): Promise<ParticipantResults> {
    return this.ask('POST', [numberId, 'groups', groupId, 'participants'], options, change);
  }

  invite(numberId: string, groupId: string, options: CallOptions = {}): Promise<GroupInvite> {
    return this.ask('GET', [numberId, 'groups', groupId, 'invite'], options);
  }

  /** A new invite; the one before is over. */
  renewInvite(numberId: string, groupId: string, options: CallOptions = {}): Promise<GroupInvite> {
    return this.ask('DELETE', [numberId, 'groups', groupId, 'invite'], options);
  }

  /** `invite`: its code, or the address that people share. */
  join(numberId: string, invite: string, options: CallOptions = {}): Promise<JoinedGroup | RequestedGroup> {
    return this.ask('POST', [numberId, 'groups', 'join'], options, { invite });
  }

  joinRequests(numberId: string, groupId: string, options: CallOptions = {}): Promise<People> {
    return this.ask('GET', [numberId, 'groups', groupId, 'join-requests'], options);
  }

  decideJoinRequests(
    numberId: string,
    groupId: string,
    decision: DecideJoinRequestsRequest,
    options: CallOptions = {},
  ): Promise<ParticipantResults> {
    return this.ask('POST', [numberId, 'groups', groupId, 'join-requests'], options, decision);
  }

  /** Has the number ask the network for all its groups. It does so by itself after a pairing. */
  sync(numberId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('POST', [numberId, 'groups', 'sync'], options);
  }
}
