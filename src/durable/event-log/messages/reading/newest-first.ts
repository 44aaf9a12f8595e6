/** Merges sources that are each sorted by falling id into one; what stands in several comes once. */
export function* newestFirst<Row extends { id: number }>(sources: readonly Iterable<Row>[]): Generator<Row> {
  const open = sources
    .map((source) => source[Symbol.iterator]())
    .map((rows) => ({ rows, next: rows.next() }));
  let lastId = Number.POSITIVE_INFINITY;
  for (;;) {
    const heads = open.filter(({ next }) => !next.done);
    if (heads.length === 0) return;
    const newest = heads.reduce((a, b) => (b.next.value.id > a.next.value.id ? b : a));
    const row: Row = newest.next.value;
    newest.next = newest.rows.next();
    if (row.id === lastId) continue;
    lastId = row.id;
    yield row;
  }
}
