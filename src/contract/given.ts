/** What was given: a field that is undefined is left out. */
export const onlyGiven = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
  } & {
    [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<
      Fields[Name],
      undefined
    >;
  };

/** What a record has under a name that somebody chose. What every object has, such as `constructor`, is not in the record. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
