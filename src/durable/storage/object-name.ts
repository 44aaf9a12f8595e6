/** Where it is kept. */
const key = 'object.name';

/**
 * The name of an object, such as the id of its account. The platform may not provide it when an alarm wakes the object, so it
 * is stored the first time that it is known. Throws for an object without a name, since its work would belong to nobody.
 */
export function objectName({
  id,
  storage,
}: Pick<DurableObjectState, 'id'> & { storage: Pick<DurableObjectStorage, 'kv'> }): string {
  const kept = storage.kv.get<string>(key);
  if (kept === undefined && id.name !== undefined) storage.kv.put(key, id.name);
  return nameOf(kept ?? id.name);
}

/** Throws where there is none. */
export function nameOf(name: string | null | undefined): string {
  if (!name) throw new Error('an object without a name is nobody’s: it is to be asked for by its name');
  return name;
}
