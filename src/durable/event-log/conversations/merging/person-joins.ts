import { Tables } from '../../../storage/rows.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { Addresses, PersonAddress } from '../conversation.ts';
import type { ConversationMerging } from './conversation-merging.ts';

type JoinRow = { id: number; phone: string; lid: string | null; dialled: string | null };
type PartingRow = { id: number; first: string; second: string; up_to: string };

/** Pairs of conversations that are joined, and conversations that are parted, in one transaction. */
const pairsMax = 50;
const partedMax = 50;

/**
 * Two addresses that turn out to belong to one person, or to two people after all. If there are conversations with more
 * numbers than one step handles, they are merged or separated step by step; the others stay as they are until then.
 */
export class PersonJoins extends Tables {
  readonly #merging: ConversationMerging;

  constructor(sql: SqlStorage, merging: ConversationMerging) {
    super(sql);
    this.#merging = merging;
  }

  /** A phone number, and an alias or the digits that the network has instead. Call inside a transaction. */
  join(one: PersonAddress, other: PersonAddress, at: number): EventDraft[] {
    const isAlias = other.kind === 'lid';
    // They are one after all.
    if (isAlias) {
      const same = 'DELETE FROM person_partings WHERE phone = ? AND lid = ?';
      this.sql.exec(same, one.address, other.address);
    }
    const isParting = this.#isParting(one.address, other.address);
    const { drafts, isWhole } = isParting
      ? { drafts: [], isWhole: false }
      : this.#merging.join(one, other, at, pairsMax);
    if (!isWhole) {
      this.sql.exec(
        'INSERT INTO person_joins (phone, lid, dialled) VALUES (?, ?, ?)',
        ...(isAlias ? [one.address, other.address, null] : [other.address, null, one.address]),
      );
    }
    return drafts;
  }

  /** Call inside a transaction. */
  part(first: Addresses, second: Addresses, at: number): EventDraft[] {
    const phoneNumber = first.phoneNumber ?? second.phoneNumber;
    const lid = first.lid ?? second.lid;
    this.sql.exec('DELETE FROM person_joins WHERE phone = ? AND lid = ?', phoneNumber, lid);
    return this.#part(first, second, '', at);
  }

  dueAt(): number | null {
    return this.#nextParting() === undefined && this.#nextJoin() === undefined ? null : 1;
  }

  /** Goes on with somebody: joins wait until those who are one with others are parted. Call inside a transaction. */
  run(now: number): EventDraft[] {
    const parting = this.#nextParting();
    if (parting !== undefined) {
      const { id, first, second, up_to } = parting;
      this.sql.exec('DELETE FROM person_partings WHERE id = ?', id);
      return this.#part(JSON.parse(first), JSON.parse(second), up_to, now);
    }
    const next = this.#nextJoin();
    if (next === undefined) return [];
    const { id, phone, lid, dialled } = next;
    this.sql.exec('DELETE FROM person_joins WHERE id = ?', id);
    return this.join(
      { kind: 'phone', address: dialled ?? phone },
      lid === null ? { kind: 'phone', address: phone } : { kind: 'lid', address: lid },
      now,
    );
  }

  #part(first: Addresses, second: Addresses, after: string, at: number): EventDraft[] {
    const slice = { after, limit: partedMax };
    const { drafts, upTo } = this.#merging.part(first, second, at, slice);
    if (upTo !== null) {
      const addresses = ({ phoneNumber, lid }: Addresses) => JSON.stringify({ phoneNumber, lid });
      this.sql.exec(
        'INSERT INTO person_partings (phone, lid, first, second, up_to) VALUES (?, ?, ?, ?, ?)',
        ...[first.phoneNumber ?? second.phoneNumber, first.lid ?? second.lid],
        ...[addresses(first), addresses(second), upTo],
      );
    }
    return drafts;
  }

  #isParting(one: string, other: string): boolean {
    const query = 'SELECT 1 FROM person_partings WHERE phone IN (?1, ?2) OR lid IN (?1, ?2) LIMIT 1';
    return this.queryAny(query, one, other);
  }

  #nextParting(): PartingRow | undefined {
    const query = 'SELECT id, first, second, up_to FROM person_partings ORDER BY id LIMIT 1';
    return this.queryFirst<PartingRow>(query);
  }

  #nextJoin(): JoinRow | undefined {
    return this.queryFirst<JoinRow>('SELECT * FROM person_joins ORDER BY id LIMIT 1');
  }
}
