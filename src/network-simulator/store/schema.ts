/**
 * The tables of the simulated network. Everything that was acknowledged to a client stands here, so that a killed
 * simulator starts again where it stood. The number is raised with every change; an older file is refused.
 */
export const schemaVersion = 2;

export const schemaSql = `
CREATE TABLE server_keys (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  phone TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  credentials TEXT,
  next_prekey INTEGER NOT NULL DEFAULT 1,
  next_device INTEGER NOT NULL DEFAULT 1,
  script TEXT NOT NULL,
  banned INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  noise_key BLOB NOT NULL,
  identity_key BLOB NOT NULL,
  registration BLOB NOT NULL,
  signed_prekey_id BLOB NOT NULL,
  signed_prekey BLOB NOT NULL,
  signed_prekey_signature BLOB NOT NULL,
  platform TEXT NOT NULL,
  history_shared INTEGER NOT NULL DEFAULT 0,
  UNIQUE (user_id, number)
);

CREATE TABLE prekeys (
  device_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  public_key BLOB NOT NULL,
  PRIMARY KEY (device_id, key_id)
) WITHOUT ROWID;

CREATE TABLE device_queue (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id INTEGER NOT NULL,
  acknowledged_by TEXT NOT NULL,
  stanza BLOB NOT NULL
);
CREATE INDEX device_queue_waiting ON device_queue (device_id, acknowledged_by);

CREATE TABLE phone_inbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  sender_user_id INTEGER NOT NULL,
  sender_device INTEGER NOT NULL,
  answers_retry INTEGER NOT NULL,
  stanza BLOB NOT NULL
);

CREATE TABLE arrivals (
  message_id TEXT NOT NULL,
  sender_id INTEGER NOT NULL,
  recipient_id INTEGER NOT NULL,
  group_id TEXT,
  text TEXT,
  count INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, sender_id, recipient_id)
);

CREATE TABLE awaited_resends (
  device_id INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (device_id, message_id)
) WITHOUT ROWID;

CREATE TABLE phone_sent (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  chat TEXT NOT NULL,
  content BLOB NOT NULL,
  wrapping TEXT NOT NULL
);
CREATE INDEX phone_sent_by_id ON phone_sent (message_id, user_id);

CREATE TABLE signal_state (
  user_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, kind, id)
) WITHOUT ROWID;

CREATE TABLE due_actions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  due_at INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  action TEXT NOT NULL
);

CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  subject TEXT NOT NULL,
  creator_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  auto_join INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE group_members (
  group_id TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  role TEXT,
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;
CREATE INDEX group_members_by_user ON group_members (user_id);

CREATE TABLE group_settings (
  group_id TEXT PRIMARY KEY,
  invite TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE group_requests (
  group_id TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;

CREATE TABLE profiles (user_id INTEGER PRIMARY KEY, about TEXT NOT NULL, picture BLOB);

CREATE TABLE blocked (
  user_id INTEGER NOT NULL,
  blocked_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, blocked_id)
) WITHOUT ROWID;
`;

/** Tables that came later and change nothing about those above: an older file gets them when it is opened. */
export const addedTablesSql = `
CREATE TABLE IF NOT EXISTS arrived_contents (
  seq INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL,
  sender_id INTEGER NOT NULL,
  recipient_id INTEGER NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (message_id, sender_id, recipient_id)
);
`;
