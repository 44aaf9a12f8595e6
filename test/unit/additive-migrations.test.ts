import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountMigrations } from '../../src/durable/account/migrations.ts';
import { auditLogMigrations } from '../../src/durable/audit-log/migrations.ts';
import { bridgeFleetMigrations } from '../../src/durable/bridge-fleet/migrations.ts';
import { campaignMigrations } from '../../src/durable/campaign/migrations.ts';
import { eventLogMigrations } from '../../src/durable/event-log/migrations.ts';
import { knowledgeMigrations } from '../../src/durable/knowledge/migrations.ts';
import { phoneNumberMigrations } from '../../src/durable/phone-number/migrations.ts';
import { requestLogMigrations } from '../../src/durable/request-log/migrations.ts';

const folder = join(import.meta.dirname, '../../migrations');

/**
 * Steps that earlier code cannot live with, and that are meant: by file, the statements as they begin. Only what no code since
 * the release before has used may be dropped.
 */
const meant: Record<string, string[]> = {};

/** What the release before can go on with: tables, indexes, rows of new tables, and columns that it need not fill. */
const additive = [
  /^CREATE (TABLE|INDEX) /i,
  /^INSERT INTO /i,
  /^ALTER TABLE \S+ ADD (?=.*\bDEFAULT\b|(?!.*\bNOT NULL\b))/i,
];

const statementsOf = (sql: string) =>
  sql
    .replaceAll(/^\s*--(?!> ).*$/gm, '')
    .split(/--> statement-breakpoint|;\s*(?=$|\n)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** The statements of a migration that earlier code could not live with. */
function breaking(sql: string, known: readonly string[] = []): string[] {
  const statements = statementsOf(sql);
  const made = new Set(statements.flatMap((statement) => /^CREATE TABLE (\S+)/i.exec(statement)?.[1] ?? []));
  return statements.filter((statement) => {
    if (known.some((start) => statement.startsWith(start))) return false;
    const unique = /^CREATE UNIQUE INDEX \S+ ON (\S+)/i.exec(statement);
    if (unique !== null) return !made.has(unique[1] ?? '');
    return !additive.some((form) => form.test(statement));
  });
}

test.for(readdirSync(folder).filter((name) => name.endsWith('.sql')))(
  'the release before runs on a database with %s',
  (name) => {
    expect(breaking(readFileSync(join(folder, name), 'utf8'), meant[name])).toEqual([]);
  },
);

test.for([
  'DROP TABLE `labels`;',
  'DROP INDEX `labels_account`;',
  'ALTER TABLE `labels` DROP COLUMN `name`;',
  'ALTER TABLE `labels` RENAME COLUMN `name` TO `title`;',
  'ALTER TABLE `labels` RENAME TO `tags`;',
  'ALTER TABLE `labels` ADD `colour` text NOT NULL;',
  'CREATE UNIQUE INDEX `labels_name` ON `labels` (`name`);',
  'DELETE FROM labels;',
  "UPDATE labels SET name = '';",
  'CREATE TABLE `new` (`id` text);--> statement-breakpoint\nDROP TABLE `labels`;',
  '-- Only adds.\nDROP TABLE `labels`;',
])('the release before would not run on a database with %s', (sql) => {
  expect(breaking(sql)).not.toEqual([]);
});

test.for([
  "ALTER TABLE `labels` ADD `colour` text DEFAULT 'grey' NOT NULL;",
  'CREATE TABLE `new` (`id` text NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX `new_id` ON `new` (`id`);',
])('the release before runs on a database with %s', (sql) => {
  expect(breaking(sql)).toEqual([]);
});

/** Objects may fill what is new as they wake. */
const breakingObjects =
  /\bDROP (TABLE|COLUMN|TRIGGER)\b|\bRENAME (TO|COLUMN)\b|\bADD (COLUMN )?[^;]*\bNOT NULL\b(?![^;]*\bDEFAULT\b)/i;

test.for([
  ...accountMigrations,
  ...auditLogMigrations,
  ...bridgeFleetMigrations,
  ...campaignMigrations,
  ...eventLogMigrations,
  ...knowledgeMigrations,
  ...phoneNumberMigrations,
  ...requestLogMigrations,
])('the release before runs on an object with $id', ({ sql }) => {
  for (const statement of sql.replaceAll(/--.*$/gm, '').split(';'))
    expect(statement).not.toMatch(breakingObjects);
});
