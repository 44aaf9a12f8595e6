import { NamedValues } from '../storage/named-values.ts';

type RecordName =
  | 'pacing'
  | 'pacingRevision'
  | 'pace'
  | 'health'
  | 'session'
  | 'sessionRevision'
  | 'queryHolds'
  | 'groups'
  | 'groupsAskedAt'
  | 'heldDeletions'
  | 'batches'
  | 'outlook'
  | 'rerouteAfterMs'
  | 'sweptAt'
  | 'revokedBridges';

/** Small records about the number. What is stored is what the next life begins with. */
export class NumberState extends NamedValues<RecordName> {
  constructor(sql: SqlStorage) {
    super(sql, 'number_state');
  }
}
