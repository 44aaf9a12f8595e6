import type { EventData } from '../../../contract/events.ts';
import { newEventId } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact, GroupNews } from '../facts.ts';

/** What changes of groups bring about. Each has a revision that rises with the number's changes: it is told once. */
export class GroupFacts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  changed(fact: Extract<Fact, { kind: 'group.changed' }>): EventDraft[] {
    const { numberId, revision, groupId, subject, news } = fact;
    const query = 'SELECT revision FROM group_revisions WHERE number_id = ?';
    const last = this.#sql.exec<{ revision: number }>(query, numberId).toArray()[0]?.revision ?? 0;
    if (revision <= last) return [];
    this.#sql.exec(
      'INSERT OR REPLACE INTO group_revisions (number_id, revision) VALUES (?, ?)',
      numberId,
      revision,
    );
    const group = { numberId, groupId, subject };
    return news.map((one) => draftOf(one, group));
  }
}

function draftOf(news: GroupNews, group: EventData<'group.created'>): EventDraft {
  const id = newEventId();
  switch (news.event) {
    case 'group.created':
      return { id, event: news.event, data: group };
    case 'group.updated':
      return { id, event: news.event, data: { ...group, changes: news.changes } };
    case 'group.participants': {
      const { event, action, participants } = news;
      return { id, event, data: { ...group, action, participants } };
    }
    case 'group.join_request': {
      const { event, action, participants } = news;
      return { id, event, data: { ...group, action, participants } };
    }
  }
}
