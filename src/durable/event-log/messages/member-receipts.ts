import { Tables } from '../../storage/rows.ts';
/** How far a message in a group has come with one of its members. Times are milliseconds since 1970. */
export interface MemberReceipt {
  /** Where it is known. */
  phoneNumber: string | null;
  lid: string | null;
  deliveredAt: number | null;
  readAt: number | null;
}

type Member = Pick<MemberReceipt, 'phoneNumber' | 'lid'>;

/** A row of the table; `member` is the alias where it is known, else the phone number. */
type Row = {
  member: string;
  phone: string | null;
  lid: string | null;
  delivered_at: number | null;
  read_at: number | null;
};

/** The receipts of one message as JSON, in SQL: for the archive, where they stand with the message. */
export const memberReceiptsJson = `
  SELECT json_group_array(json_object(
    'phoneNumber', phone, 'lid', lid, 'deliveredAt', delivered_at, 'readAt', read_at
  )) FROM member_receipts WHERE message = messages.id`;

/** Who has a message in a group, and who has read it: a row for each member that has confirmed it. */
export class MemberReceipts extends Tables {
  /** Of the message with this id, in no particular order. */
  of(message: number): MemberReceipt[] {
    return this.queryAll<Row>('SELECT * FROM member_receipts WHERE message = ?', message).map(receiptOf);
  }

  /**
   * Stores a receipt of a member. Returns the new steps, in order, and the member's state after them. A read message counts as
   * delivered too. Call inside a transaction; a repeat returns no step.
   */
  note(
    message: number,
    member: Member,
    kind: 'delivered' | 'read',
    at: number,
  ): { steps: ('delivered' | 'read')[]; member: MemberReceipt } {
    const row = this.#find(message, member);
    const before: MemberReceipt = row ? receiptOf(row) : { ...member, deliveredAt: null, readAt: null };
    const after: MemberReceipt = {
      phoneNumber: before.phoneNumber ?? member.phoneNumber,
      lid: before.lid ?? member.lid,
      deliveredAt: before.deliveredAt ?? at,
      readAt: kind === 'read' ? (before.readAt ?? Math.max(at, before.deliveredAt ?? 0)) : before.readAt,
    };
    const steps = [
      ...(before.deliveredAt === null ? ['delivered' as const] : []),
      ...(before.readAt === null && after.readAt !== null ? ['read' as const] : []),
    ];
    if (steps.length > 0) {
      this.#put(message, row?.member ?? keyOf(member), after);
    }
    return { steps, member: after };
  }

  /** As it stood in the archive. */
  putBack(message: number, receipt: MemberReceipt): void {
    this.#put(message, keyOf(receipt), receipt);
  }

  #put(message: number, key: string, { phoneNumber, lid, deliveredAt, readAt }: MemberReceipt): void {
    this.sql.exec(
      `INSERT OR REPLACE INTO member_receipts (message, member, phone, lid, delivered_at, read_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      ...[message, key, phoneNumber, lid, deliveredAt, readAt],
    );
  }

  /** The same person may have confirmed under the other form of their address before. */
  #find(message: number, { phoneNumber, lid }: Member): Row | undefined {
    const query = 'SELECT * FROM member_receipts WHERE message = ? AND';
    const find = (condition: string, value: string | null) =>
      value === null ? undefined : this.queryFirst<Row>(`${query} ${condition} = ?`, message, value);
    return find('member', lid) ?? find('member', phoneNumber) ?? find('phone', phoneNumber);
  }
}

const keyOf = ({ phoneNumber, lid }: Member) => lid ?? phoneNumber ?? '';

const receiptOf = ({ phone, lid, delivered_at, read_at }: Row): MemberReceipt => ({
  phoneNumber: phone,
  lid,
  deliveredAt: delivered_at,
  readAt: read_at,
});
