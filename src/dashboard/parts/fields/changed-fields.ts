/** The fields that were changed since the form was filled: what somebody else has saved meanwhile stays as it is. */
export function changedFields<Fields extends object>(fields: Fields, first: object = {}): Partial<Fields> {
  const before = new Map(Object.entries(first).map(([name, value]) => [name, JSON.stringify(value)]));
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== before.get(name),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
