import type { NumberFact, VaultEntry } from '../../contract/bridge/bridge-frames.ts';

/** A fact and its row in the journal. */
export interface JournalledFact {
  row: number;
  fact: NumberFact;
}

export interface FactGroup {
  fact: NumberFact;
  /** The rows that travel in this frame. */
  rows: number[];
}

type ListFact = Extract<
  NumberFact,
  { type: 'send.outcomes' | 'receipts' | 'inbound' | 'changes' | 'calls' | 'vault.put' }
>;

/**
 * The order in which lists leave that nothing about the session divides. A message is sent before it is delivered, and
 * keys are stored behind whatever they were used for: never is a key ahead of a message that was read with it.
 */
const listOrder = [
  'send.outcomes',
  'receipts',
  'inbound',
  'changes',
  'calls',
  'vault.put',
] as const satisfies ListFact['type'][];

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

/** Facts of one kind as one. */
function merge(type: ListFact['type'], facts: ListFact[]): NumberFact {
  switch (type) {
    case 'vault.put':
      return { type, entries: latestEntries(facts) };
    case 'send.outcomes':
      return { type, items: facts.flatMap((fact) => (fact.type === type ? fact.items : [])) };
    case 'receipts':
      return { type, items: facts.flatMap((fact) => (fact.type === type ? fact.items : [])) };
    case 'inbound':
      return { type, items: facts.flatMap((fact) => (fact.type === type ? fact.items : [])) };
    case 'changes':
      return { type, items: facts.flatMap((fact) => (fact.type === type ? fact.items : [])) };
    case 'calls':
      return { type, items: facts.flatMap((fact) => (fact.type === type ? fact.items : [])) };
  }
}

/**
 * Packs facts into as few frames as possible, in the order in which they are to be sent: lists of one kind become one
 * list, as long as nothing about the session lies between them.
 */
export function groupFacts(facts: readonly JournalledFact[]): FactGroup[] {
  const groups: FactGroup[] = [];
  let lists: { row: number; fact: ListFact }[] = [];
  const closeLists = () => {
    for (const type of listOrder) {
      const ofType = lists.filter(({ fact }) => fact.type === type);
      if (ofType.length === 0) continue;
      const fact = merge(
        type,
        ofType.map((list) => list.fact),
      );
      groups.push({ fact, rows: ofType.map(({ row }) => row) });
    }
    lists = [];
  };
  for (const { row, fact } of facts) {
    if (isList(fact)) {
      lists.push({ row, fact });
      continue;
    }
    closeLists();
    groups.push({ fact, rows: [row] });
  }
  closeLists();
  return groups;
}
