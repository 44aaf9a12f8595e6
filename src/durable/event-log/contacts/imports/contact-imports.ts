import type { AttributeType } from '../../../../contract/contacts/attributes.ts';
import { distinctLabels } from '../../../../contract/contacts/contact.ts';
import { attributeTargetOf, type RowRefusal } from '../../../../contract/contacts/import.ts';
import { invalidFields, type Refusal } from '../../../../contract/errors.ts';
import { onlyGiven, ownValue } from '../../../../contract/given.ts';
import { endOfWait } from '../../../due-times.ts';
import { log, logFault } from '../../../log.ts';
import type { AttributeDefinitions } from '../attribute-definitions.ts';
import { type Contact, newContact } from '../contact.ts';
import type { ContactRows } from '../contact-rows.ts';
import type {
  ContactImport,
  FileSlice,
  ImportAbout,
  ImportCalls,
  ImportedContact,
  ImportedContacts,
  ImportRows,
} from './import-rows.ts';
import type { LeftImportFiles } from './left-files.ts';

/** One turn of the timer; others of the log's timers have their turn in between. */
const turnMs = 8_000;
const pauseMs = 50;
/** When the file could not be read. */
const retryMs = 15_000;
/** No call takes longer. */
const callMsMax = 60_000;
const failuresMax = 20;

interface ContactImportsParts {
  storage: DurableObjectStorage;
  accountId: string;
  rows: ImportRows;
  members: ImportedContacts;
  contacts: ContactRows;
  definitions: AttributeDefinitions;
  calls: Pick<ImportCalls, 'slice'>;
  files: LeftImportFiles;
}

/** A row of an import as JSON, with its number. */
export interface NumberedContact {
  row: number;
  contact: ImportedContact;
}

/**
 * Imports of contacts. Another entrypoint reads a few rows of a file at a time. Their results and the position in the file are
 * stored in one transaction. So after a crash an import continues where it was, and nobody is counted twice. Opt-outs belong
 * to the account: no import changes them.
 */
export class ContactImports {
  readonly #parts: ContactImportsParts;
  /** Whether an import goes on; null: not looked up. */
  #isRunning: boolean | null = null;
  #restUntil = 0;
  #failures = 0;

  constructor(parts: ContactImportsParts) {
    this.#parts = parts;
  }

  /** All at once. A repeat under the same id changes nothing. */
  takeAll(
    importId: string,
    about: ImportAbout,
    contacts: readonly NumberedContact[],
    refusedBefore: readonly RowRefusal[],
    now: number,
  ): ContactImport {
    const { storage, rows, definitions } = this.#parts;
    return storage.transactionSync(() => {
      const known = rows.find(importId);
      if (known !== null) return known;
      const refused = [...refusedBefore];
      const fit: ImportedContact[] = [];
      for (const { row, contact } of contacts) {
        const [misfit] = definitions.note(contact.attributes);
        if (misfit === undefined) fit.push(contact);
        else {
          const path = `attributes.${misfit.name}`;
          refused.push({ row, code: 'VALIDATION_ERROR', path, message: misfit.message });
        }
      }
      const row = contacts.length + refusedBefore.length;
      const done = { importId, about, createdAt: now, finishedAt: now, place: 0, row, problem: null };
      const counts = this.#apply(importId, fit, about, now);
      refused.sort((a, b) => a.row - b.row);
      const it: ContactImport = {
        ...done,
        ...counts,
        status: 'finished',
        refusedCount: refused.length,
        refused,
      };
      rows.put(it);
      return it;
    });
  }

  /** The file is stored: it is read from now on. A repeat under the same id changes nothing. */
  begin(importId: string, about: ImportAbout, now: number): ContactImport | Refusal {
    const { storage, rows } = this.#parts;
    return storage.transactionSync(() => {
      const known = rows.find(importId);
      if (known !== null) return known;
      const refusal = this.#declare(about);
      if (refusal !== null) return refusal;
      const it: ContactImport = {
        importId,
        status: 'running',
        about,
        createdAt: now,
        finishedAt: null,
        place: about.shape?.start ?? 0,
        row: 0,
        created: 0,
        updated: 0,
        refusedCount: 0,
        refused: [],
        problem: null,
      };
      rows.put(it);
      this.#isRunning = true;
      this.#restUntil = 0;
      return it;
    });
  }

  /** Goes on with it, as the timer does, and says how far it is. */
  async follow(importId: string, ms: number): Promise<ContactImport> {
    const endsAt = Date.now() + ms;
    for (;;) {
      const it = this.#parts.rows.find(importId);
      if (it === null) throw new Error('there is no such import');
      if (it.status !== 'running' || Date.now() >= endsAt || !(await this.step())) return it;
    }
  }

  isRunning(): boolean {
    this.#isRunning ??= this.#parts.rows.running().length > 0;
    return this.#isRunning;
  }

  dueAt(): number | null {
    return this.isRunning() ? Math.max(1, endOfWait(this.#restUntil, callMsMax)) : null;
  }

  async run(now: number): Promise<void> {
    // While this runs.
    this.#restUntil = now + callMsMax;
    try {
      const endsAt = Date.now() + turnMs;
      while (Date.now() < endsAt && (await this.step()));
      this.#failures = 0;
      this.#restUntil = Date.now() + pauseMs;
    } catch (error) {
      logFault('contacts.import_stopped', error);
      this.#failures += 1;
      this.#restUntil = Date.now() + retryMs;
      if (this.#failures >= failuresMax) await this.#giveUp();
    }
  }

  /** A few rows of the oldest import; false: there is none. */
  async step(): Promise<boolean> {
    const { rows, calls, definitions, accountId, files } = this.#parts;
    const [next] = rows.running();
    this.#isRunning = next !== undefined;
    if (next === undefined) return false;
    const { importId, about, place, row } = next;
    const { shape, mapping, defaultCountry } = about;
    if (shape === null) throw new Error('an import without a file cannot go on');
    const types = definitions.types();
    const asked = { accountId, importId, shape, mapping, defaultCountry, types, place, row };
    const slice = await calls.slice(asked);
    if (this.#storeRows(importId, place, slice)) await files.run(Date.now());
    return true;
  }

  /** True: that was the last of it. */
  #storeRows(importId: string, from: number, slice: FileSlice): boolean {
    const { storage, rows, files } = this.#parts;
    const done = storage.transactionSync(() => {
      const it = rows.find(importId);
      // Somebody else was quicker.
      if (it === null || it.status !== 'running' || it.place !== from) return null;
      const { created, updated } = this.#apply(importId, slice.contacts, it.about, it.createdAt);
      const isOver = slice.isLast || slice.problem !== undefined;
      const after: ContactImport = {
        ...it,
        place: slice.place,
        row: slice.row,
        created: it.created + created,
        updated: it.updated + updated,
        refusedCount: it.refusedCount + slice.refused.length,
        refused: [...it.refused, ...slice.refused],
        problem: slice.problem ?? null,
        ...(isOver && {
          status: slice.problem === undefined ? 'finished' : 'failed',
          finishedAt: Date.now(),
        }),
      };
      rows.put(after);
      if (!isOver) return null;
      files.add(importId);
      return after;
    });
    if (done === null) return false;
    const { status, row, created, updated, refusedCount } = done;
    log('contacts.imported', { importId, status, rows: row, created, updated, refused: refusedCount });
    return true;
  }

  async #giveUp(): Promise<void> {
    const { storage, rows, files } = this.#parts;
    const [it] = rows.running();
    this.#failures = 0;
    if (it === undefined) return;
    const problem = 'The file could not be read. Import it once more.';
    storage.transactionSync(() => {
      rows.put({ ...it, status: 'failed', finishedAt: Date.now(), problem });
      files.add(it.importId);
    });
    this.#isRunning = null;
    await files.run(Date.now());
  }

  /** The attributes that the file has are of these types from now on. Nothing is changed where one does not fit. */
  #declare({ mapping }: ImportAbout): Refusal | null {
    const { definitions } = this.#parts;
    const types = definitions.types();
    const misfits: { path: string; message: string }[] = [];
    const added: { name: string; type: AttributeType }[] = [];
    for (const [column, target] of Object.entries(mapping)) {
      const attribute = attributeTargetOf(target);
      if (attribute === null) continue;
      const { name, type } = attribute;
      const known = ownValue(types, name);
      if (known === undefined) added.push({ name, type: type ?? 'text' });
      else if (type !== null && known !== type) {
        const message = `The attribute ${name} is of the type ${known}.`;
        misfits.push({ path: `mapping.${column}`, message });
      }
    }
    if (!definitions.hasRoomFor(added.length)) {
      misfits.push({ path: 'mapping', message: 'The account already has the maximum number of attributes.' });
    }
    if (misfits.length > 0) return invalidFields(misfits);
    for (const { name, type } of added) definitions.declare(name, type);
    return null;
  }

  #apply(
    importId: string,
    imported: readonly ImportedContact[],
    { consentSource, labels }: ImportAbout,
    at: number,
  ): { created: number; updated: number } {
    const { contacts, members } = this.#parts;
    const contactIds: string[] = [];
    let created = 0;
    for (const one of imported) {
      const before = contacts.byPhone(one.phoneNumber);
      const known = before ?? { ...newContact(at), phoneNumber: one.phoneNumber };
      const after: Contact = {
        ...known,
        ...onlyGiven({ ownName: one.name, timeZone: one.timeZone }),
        labels: distinctLabels([...known.labels, ...contacts.spellings.spelled([...labels, ...one.labels])]),
        attributes: { ...known.attributes, ...one.attributes },
        consent: { source: consentSource, at },
      };
      contactIds.push(after.contactId);
      if (before === null) created += 1;
      // What is as it was writes no row.
      if (before === null || JSON.stringify(before) !== JSON.stringify(after)) contacts.put(after, before);
    }
    members.add(importId, contactIds);
    return { created, updated: imported.length - created };
  }
}
