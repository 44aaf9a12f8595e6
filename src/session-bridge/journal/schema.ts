/**
 * So many steps a bridge has to know to go on with a file that has all of them: an older one that knows these is taken back
 * without harm. It rises only with a step that older code cannot live with; one that adds a table, or a column with a
 * default, is none of these.
 */
export const neededSteps = 4;

/** Each step brings the file of a journal one `user_version` further; a step that has run somewhere never changes. */
export const schemaSteps = [
  `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS leases (number_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID;
-- frame: the sequence number under which the row travels; null until a frame was made of it.
CREATE TABLE IF NOT EXISTS facts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  number_id TEXT NOT NULL, epoch INTEGER NOT NULL, frame INTEGER, kind TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS facts_by_number ON facts (number_id, seq);
CREATE TABLE IF NOT EXISTS outbound (
  number_id TEXT NOT NULL, provider_message_id TEXT NOT NULL, message_id TEXT, recipient TEXT,
  state TEXT NOT NULL, outcome TEXT, updated_at INTEGER NOT NULL,
  PRIMARY KEY (number_id, provider_message_id)
) WITHOUT ROWID;
`,
  `
-- The number of the last frame that was made; one row.
CREATE TABLE frames (last INTEGER NOT NULL);
INSERT INTO frames SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'facts'), 0);
CREATE INDEX facts_by_frame ON facts (number_id, frame) WHERE frame IS NOT NULL;
-- Facts that the edge can never take; bounded, for whoever looks into it.
CREATE TABLE parked_facts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL, number_id TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL, body TEXT NOT NULL
);
-- The hand-over under which the message was last taken over.
ALTER TABLE outbound ADD COLUMN hand_over INTEGER NOT NULL DEFAULT 1;
`,
  `
-- How often the message was handed to the network from here.
ALTER TABLE outbound ADD COLUMN network_hand_overs INTEGER NOT NULL DEFAULT 0;
`,
  `
-- Files that the network has: sent again without another upload.
CREATE TABLE uploads (
  number_id TEXT NOT NULL, kind TEXT NOT NULL, sha256 TEXT NOT NULL, at INTEGER NOT NULL, ticket TEXT NOT NULL,
  PRIMARY KEY (number_id, kind, sha256)
) WITHOUT ROWID;
`,
];
