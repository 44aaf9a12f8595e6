export const contactFactsSql = `
  -- country: two letters, from the phone number. wrote_to: when they last wrote to which number, JSON, as exact as an hour;
  -- last_inbound_at is the latest of it.
  ALTER TABLE contacts ADD COLUMN time_zone TEXT;
  ALTER TABLE contacts ADD COLUMN country TEXT;
  ALTER TABLE contacts ADD COLUMN consent_source TEXT;
  ALTER TABLE contacts ADD COLUMN consent_at INTEGER;
  ALTER TABLE contacts ADD COLUMN last_inbound_at INTEGER;
  ALTER TABLE contacts ADD COLUMN wrote_to TEXT;

  -- What the values of an attribute are; declared: a person has said so, else its first value has.
  CREATE TABLE contact_attributes (
    name TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    declared INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Filters that have a name. filter: JSON.
  CREATE TABLE contact_segments (
    segment_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    filter TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- about: JSON, what never changes. place: the byte of the file behind the last row that is in; row: its number. parts: how
  -- many files of refused rows there are; refused: the first of them, JSON.
  CREATE TABLE contact_imports (
    import_id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    about TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    place INTEGER NOT NULL DEFAULT 0,
    row INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL DEFAULT 0,
    updated INTEGER NOT NULL DEFAULT 0,
    refused_count INTEGER NOT NULL DEFAULT 0,
    refused TEXT NOT NULL DEFAULT '[]',
    parts INTEGER NOT NULL DEFAULT 0,
    problem TEXT
  ) WITHOUT ROWID;

  -- Two contacts that a person has made one, as they were.
  CREATE TABLE contact_merges (
    merge_id TEXT PRIMARY KEY,
    contact_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    kept TEXT NOT NULL,
    merged TEXT NOT NULL
  ) WITHOUT ROWID;
`;
