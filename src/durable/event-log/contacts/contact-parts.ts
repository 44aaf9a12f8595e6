import type { NamedTimer } from '../../named-timers.ts';
import { AttributeDefinitions } from './attribute-definitions.ts';
import { Audience, ContactSegments } from './audience.ts';
import { ContactMerges } from './contact-merges.ts';
import type { ContactRows } from './contact-rows.ts';
import { ContactSearch } from './contact-search.ts';
import { Contacts, type Joined, type Parted, type Renumbered } from './contacts.ts';
import { ContactImports } from './imports/contact-imports.ts';
import { type ImportCalls, ImportedContacts, ImportRows } from './imports/import-rows.ts';
import { LeftImportFiles } from './imports/left-files.ts';
import type { ToldAliases } from './told-aliases.ts';

interface ContactNeeds {
  storage: DurableObjectStorage;
  accountId: string;
  rows: ContactRows;
  aliases: ToldAliases;
  joined: Joined;
  renumbered: Renumbered;
  isOwnPhone: (phoneNumber: string) => boolean;
  parted: Parted;
  importCalls: ImportCalls;
}

/** Whom the account knows, and what it does with them. */
export function assembleContacts(needs: ContactNeeds) {
  const { storage, accountId, rows, aliases, joined, renumbered, isOwnPhone, parted, importCalls } = needs;
  const { sql } = storage;
  const search = new ContactSearch(sql);
  const definitions = new AttributeDefinitions(sql);
  const segments = new ContactSegments(sql);
  const contacts = new Contacts(rows, definitions, aliases, joined, renumbered, isOwnPhone);
  const importRows = new ImportRows(sql);
  const members = new ImportedContacts(sql);
  const importFiles = new LeftImportFiles(sql, accountId, importCalls);
  const imports = new ContactImports({
    storage,
    accountId,
    rows: importRows,
    members,
    contacts: rows,
    definitions,
    calls: importCalls,
    files: importFiles,
  });
  const timers: NamedTimer[] = [
    { name: 'contact-imports', dueAt: () => imports.dueAt(), run: (now) => imports.run(now) },
    { name: 'import-files', dueAt: () => importFiles.dueAt(), run: (now) => importFiles.run(now) },
    { name: 'told-aliases', dueAt: () => aliases.dueAt(), run: () => aliases.run() },
  ];
  return {
    rows,
    search,
    definitions,
    segments,
    contacts,
    importRows,
    imports,
    merges: new ContactMerges({ sql, rows, contacts, parted }),
    audience: new Audience({ rows, search, segments, members }),
    timers,
  };
}
