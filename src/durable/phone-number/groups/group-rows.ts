import type { Group } from '../../../contract/numbers/group.ts';
import { Tables } from '../../storage/rows.ts';

/** Participants in one page of groups: together they stay far below what a call between objects carries. */
const pageParticipantsMax = 10_000;
/** By these a notice that is told once more is known again. */
const noticesKept = 32;

/** A group as the number knows it, and the last notices about it. */
interface KnownGroup {
  group: Group;
  notices: readonly string[];
}

interface Row extends Record<string, string> {
  group_id: string;
  json: string;
  notices: string;
}

/** The groups that the number is in: a row each, its members included. */
export class GroupRows extends Tables {
  find(groupId: string): KnownGroup | null {
    const row = this.queryFirst<Row>('SELECT * FROM groups WHERE group_id = ?', groupId);
    return row ? { group: JSON.parse(row.json), notices: JSON.parse(row.notices) } : null;
  }

  /** Those of highest id first, behind `before`; fewer than `limit` where they have very many members. */
  page(limit: number, before: string | null): { groups: Group[]; hasMore: boolean } {
    const rows = this.sql.exec<Row>(
      'SELECT * FROM groups WHERE group_id < ? ORDER BY group_id DESC LIMIT ?',
      before ?? '\uffff',
      limit + 1,
    );
    const groups: Group[] = [];
    let participants = 0;
    for (const { json } of rows) {
      if (groups.length === limit) return { groups, hasMore: true };
      const group: Group = JSON.parse(json);
      participants += group.participants.length;
      if (groups.length > 0 && participants > pageParticipantsMax) return { groups, hasMore: true };
      groups.push(group);
    }
    return { groups, hasMore: false };
  }

  ids(): string[] {
    return this.queryValues<string>('SELECT group_id FROM groups');
  }

  put(group: Group, notices: readonly string[]): void {
    this.sql.exec(
      'INSERT OR REPLACE INTO groups (group_id, json, notices) VALUES (?, ?, ?)',
      group.groupId,
      JSON.stringify(group),
      JSON.stringify(notices.slice(-noticesKept)),
    );
  }

  remove(groupId: string): void {
    this.sql.exec('DELETE FROM groups WHERE group_id = ?', groupId);
  }

  clear(): void {
    this.sql.exec('DELETE FROM groups');
  }
}
