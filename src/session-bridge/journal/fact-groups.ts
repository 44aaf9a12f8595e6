import type { NumberFact, VaultEntry } from '../../contract/bridge-frames.ts';

/** A fact and its row in the journal. */
export interface JournalledFact {
  seq: number;
  fact: NumberFact;
  /** Length of its JSON, where it is known. */
  bytes?: number;
}

/** A fact as it travels: `seq` is acknowledged. */
export interface FactFrame {
  seq: number;
  fact: NumberFact;
}

export interface FactGroup extends FactFrame {
  /** The rows that travel in this frame. */
  rows: number[];
}

/** Well under the largest frame, with room for the envelope. */
const groupBytesMax = 512 * 1024;

type ListFact = Extract<NumberFact, { type: 'send.outcomes' | 'receipts' | 'inbound' | 'vault.put' }>;

/** A fact that lists things of one kind: several of them can travel as one. */
export function isList(fact: NumberFact): fact is ListFact {
  return 'items' in fact || 'entries' in fact;
}

/** Later writes of a key replace earlier ones. */
function latestEntries(facts: ListFact[]): VaultEntry[] {
  const byKey = new Map<string, VaultEntry>();
  for (const fact of facts) {
    if (fact.type !== 'vault.put') continue;
    for (const entry of fact.entries) byKey.set(entry.key, entry);
  }
  return [...byKey.values()];
}

function merge(facts: [ListFact, ...ListFact[]]): NumberFact {
  const [first] = facts;
  switch (first.type) {
    case 'vault.put':
      return { type: 'vault.put', entries: latestEntries(facts) };
    case 'send.outcomes':
      return {
        type: first.type,
        items: facts.flatMap((fact) => (fact.type === first.type ? fact.items : [])),
      };
    case 'receipts':
      return {
        type: first.type,
        items: facts.flatMap((fact) => (fact.type === first.type ? fact.items : [])),
      };
    case 'inbound':
      return {
        type: first.type,
        items: facts.flatMap((fact) => (fact.type === first.type ? fact.items : [])),
      };
  }
}

/**
 * Packs facts into as few frames as possible: lists of one kind become one list, as long as nothing about the session
 * lies between them. A frame bears the number of its last row; frames come in rising order.
 */
export function groupFacts(facts: JournalledFact[], bytesMax = groupBytesMax): FactGroup[] {
  const groups: FactGroup[] = [];
  let open = new Map<string, { facts: [ListFact, ...ListFact[]]; rows: number[]; bytes: number }>();
  const closeKind = (kind: string) => {
    const group = open.get(kind);
    if (!group) return;
    open.delete(kind);
    groups.push({ seq: Math.max(...group.rows), rows: group.rows, fact: merge(group.facts) });
  };
  for (const { seq, fact, bytes: bytesKnown } of facts) {
    if (!isList(fact)) {
      for (const kind of [...open.keys()]) closeKind(kind);
      open = new Map();
      groups.push({ seq, rows: [seq], fact });
      continue;
    }
    const bytes = bytesKnown ?? JSON.stringify(fact).length;
    const current = open.get(fact.type);
    if (current && current.bytes + bytes <= bytesMax) {
      current.facts.push(fact);
      current.rows.push(seq);
      current.bytes += bytes;
      continue;
    }
    closeKind(fact.type);
    open.set(fact.type, { facts: [fact], rows: [seq], bytes });
  }
  for (const kind of [...open.keys()]) closeKind(kind);
  return groups.sort((a, b) => a.seq - b.seq);
}
