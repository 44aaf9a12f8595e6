/** Merges sources that are each in order into one that is; read only as far as it is needed. */
export function* merged<Row>(
  sources: readonly Iterable<Row>[],
  isBefore: (a: Row, b: Row) => boolean,
): Generator<Row> {
  const open = sources
    .map((source) => source[Symbol.iterator]())
    .map((rows) => ({ rows, next: rows.next() }));
  for (;;) {
    const heads = open.filter(({ next }) => !next.done);
    if (heads.length === 0) return;
    const first = heads.reduce((a, b) => (isBefore(b.next.value, a.next.value) ? b : a));
    const row: Row = first.next.value;
    first.next = first.rows.next();
    yield row;
  }
}
