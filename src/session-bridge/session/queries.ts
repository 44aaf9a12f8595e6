import type { NumberDownFrame, NumberFact, NumberUpFrame } from '../../contract/bridge/bridge-frames.ts';
import type { NetworkQuery, QueryFailure } from '../../contract/bridge/network-queries.ts';
import type { Group } from '../../contract/numbers/group.ts';
import type { FactLog } from '../journal/facts.ts';
import { errorText, type Log } from '../logging.ts';
import { type NetworkConnection, QueryError } from '../network/connection/connection.ts';
import { before } from './deadline.ts';

type QueryFrame = Extract<NumberDownFrame, { type: 'query' }>;
type Answer = Extract<NumberUpFrame, { type: 'query.result' | 'query.failed' }>;

/** Characters of the groups in one fact: a frame holds four times as much. */
const groupsCharactersMax = 256 * 1024;

export interface QueriesOptions {
  /** Null while the session is not open. */
  connection: () => NetworkConnection | null;
  facts: FactLog;
  answer: (frame: Answer) => void;
  log: Log;
}

/**
 * Responds to the queries of the edge to the network. Nothing is stored: if a response is lost, the edge repeats the query.
 */
export class Queries {
  readonly #options: QueriesOptions;

  constructor(options: QueriesOptions) {
    this.#options = options;
  }

  /** Never throws. */
  async answer({ queryId, deadlineMs, query }: QueryFrame): Promise<void> {
    const { answer, log } = this.#options;
    const late = new QueryError({ reason: 'no_answer' });
    const outcome = await before<object>(
      Date.now() + deadlineMs,
      this.#answerTo(query).catch((error) => error as object),
      late,
    );
    if (!(outcome instanceof Error)) {
      answer({ type: 'query.result', queryId, answer: { ...outcome } });
      return;
    }
    const failure: QueryFailure = outcome instanceof QueryError ? outcome.failure : { reason: 'no_answer' };
    log.warn({ verb: query.verb, ...failure, error: errorText(outcome.cause ?? outcome) }, 'query.failed');
    answer({ type: 'query.failed', queryId, verb: query.verb, failure });
  }

  async #answerTo(query: NetworkQuery): Promise<object> {
    const connection = this.#options.connection();
    if (!connection) throw new QueryError({ reason: 'not_connected' });
    if (query.verb !== 'groups.sync') return connection.ask(query);
    reportGroups(this.#options.facts, await connection.groups());
    return {};
  }
}

/** All groups of a number as facts, of which each fits into a frame; the last one ends the sync. */
function reportGroups(facts: FactLog, groups: readonly Group[]): void {
  let part: Group[] = [];
  let characters = 0;
  const close = () => {
    if (part.length > 0) facts.append({ type: 'groups.state', groups: part });
    part = [];
    characters = 0;
  };
  for (const group of groups) {
    const size = JSON.stringify(group).length;
    if (characters + size > groupsCharactersMax) close();
    part.push(group);
    characters += size;
  }
  close();
  const groupIds = groups.map(({ groupId }) => groupId);
  facts.append({ type: 'groups.synced', groupIds, at: new Date().toISOString() } satisfies NumberFact);
}
