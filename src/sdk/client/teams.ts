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
import { Collection } from './http/collection.ts';

/** Takes a token; changes take that of an owner or admin. */
export class Teams extends Collection<Team, CreateTeamRequest, UpdateTeamRequest> {}
/** The labels that conversations are given. Takes a token; changes take that of an owner or admin. */
export class Labels extends Collection<Label, CreateLabelRequest, UpdateLabelRequest> {}
/** Takes a token; changes take that of an owner or admin. */
export class CannedReplies extends Collection<
  CannedReply,
  CreateCannedReplyRequest,
  UpdateCannedReplyRequest
> {}
