import type {
  CannedReply,
  CreateCannedReplyRequest,
  CreateLabelRequest,
  CreateTeamRequest,
  Label,
  Team,
  UpdateCannedReplyRequest,
  UpdateLabelRequest,
  UpdateTeamRequest,
} from './generated/api-types.ts';
import type { List } from './http/list.ts';
import { type ListOptions, Resource } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/** Something that people define for the account. Takes a token; changes take that of an owner or admin. */
class Defined<Thing, New, Changes> extends Resource {
  create(thing: New, options: CallOptions = {}): Promise<Thing> {
    return this.ask('POST', [], options, thing);
  }

  list(options: ListOptions = {}): List<Thing> {
    return this.listOf([], options);
  }

  get(id: string, options: CallOptions = {}): Promise<Thing> {
    return this.ask('GET', [id], options);
  }

  update(id: string, changes: Changes, options: CallOptions = {}): Promise<Thing> {
    return this.ask('PATCH', [id], options, changes);
  }

  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }
}

export class Teams extends Defined<Team, CreateTeamRequest, UpdateTeamRequest> {}
/** The labels that conversations are given. */
export class Labels extends Defined<Label, CreateLabelRequest, UpdateLabelRequest> {}
export class CannedReplies extends Defined<CannedReply, CreateCannedReplyRequest, UpdateCannedReplyRequest> {}
