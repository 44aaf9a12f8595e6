/** The tables of the deliveries room. */
export const deliveryTablesSql = `
  -- What the log knows of a webhook: how D1 had it when it was last read, and how its receiver does.
  CREATE TABLE webhook_readers (
    webhook_id TEXT PRIMARY KEY,
    configuration TEXT NOT NULL,
    -- Failed attempts in a row, and when the first of them ended.
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    circuit_open INTEGER NOT NULL DEFAULT 0,
    last_delivery_at INTEGER,
    -- It is gone, and its rows follow in slices.
    deleted INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;

  -- The parts of the sequence that a webhook reads. Whatever it wants up to the position has an outcome.
  CREATE TABLE webhook_reads (
    id TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL,
    -- 'first': each event for the first time; 'replay': once more.
    kind TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    -- The last event of the part; null: it goes on with the sequence.
    until_seq INTEGER
  ) WITHOUT ROWID;

  -- Deliveries that the first attempt did not end, and repeated ones. What the receiver took at once has no row: that
  -- stands with its event.
  CREATE TABLE deliveries (
    webhook_id TEXT NOT NULL,
    -- The event; 0 for a test, which is no event of the account.
    seq INTEGER NOT NULL,
    -- 1 for the first delivery of the event to this webhook.
    n INTEGER NOT NULL,
    delivery_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event TEXT NOT NULL,
    -- 'pending', 'delivered' or 'failed'. What is pending for a webhook that is off is held.
    status TEXT NOT NULL,
    attempts TEXT NOT NULL,
    -- While an attempt is under way, when it must be over. Null once the delivery is over.
    next_attempt_at INTEGER,
    -- Of a test only; of an event it stands in the log.
    body TEXT,
    PRIMARY KEY (webhook_id, seq, n)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX deliveries_by_id ON deliveries (webhook_id, delivery_id);
  CREATE INDEX deliveries_due ON deliveries (webhook_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;

  -- What the owner of the account has to be told.
  CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    -- What it is about, by kind and id: webhook:<id>.
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    detail TEXT NOT NULL,
    -- Null until every channel has it.
    announced_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX alerts_unannounced ON alerts (at) WHERE announced_at IS NULL;
`;
