import type { AttributeType } from '../../../contract/contacts/attributes.ts';
import type { ContactFilter } from '../../../contract/contacts/contact-filter.ts';
import type { RowRefusal } from '../../../contract/contacts/import.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { AttributeDefinition } from '../contacts/attribute-definitions.ts';
import type { ContactSegment } from '../contacts/audience.ts';
import type { NumberedContact } from '../contacts/imports/contact-imports.ts';
import type { ContactImport, ImportAbout } from '../contacts/imports/import-rows.ts';
import type { LogClass } from './log-object.ts';

export function addressBookVerbs<Base extends LogClass>(base: Base) {
  return class extends base {
    /** By name, the first 500 of them. */
    contactLabels(): string[] {
      return this.parts.people.rows.labels(500);
    }

    contactAttributes(): AttributeDefinition[] {
      return this.parts.people.definitions.all();
    }

    declareContactAttribute(name: string, type: AttributeType): AttributeDefinition | Refusal {
      const { definitions, imports } = this.parts.people;
      if (imports.isRunning()) return refuse('CONFLICT', 'An import goes on: wait until it is over.');
      const isKnown = definitions.find(name) !== null;
      if (!isKnown && !definitions.hasRoomFor(1))
        return refuse('CONFLICT', 'There are as many as there can be.');
      definitions.declare(name, type);
      return { name, type, declared: true };
    }

    /** False: there is no such attribute. */
    removeContactAttribute(name: string): boolean | Refusal {
      const { definitions, imports } = this.parts.people;
      if (imports.isRunning()) return refuse('CONFLICT', 'An import goes on: wait until it is over.');
      return definitions.remove(name);
    }

    /** Newest first, one more than `limit` where there are more. */
    contactSegments(limit: number, before: string | null): ContactSegment[] {
      return this.parts.people.segments.page(limit, before);
    }

    contactSegment(segmentId: string): ContactSegment | null {
      return this.parts.people.segments.find(segmentId);
    }

    createContactSegment(name: string, filter: ContactFilter): ({ ok: true } & ContactSegment) | Refusal {
      return this.parts.people.segments.create(name, filter, Date.now());
    }

    /** Null: there is no such segment. */
    changeContactSegment(
      segmentId: string,
      changes: { name?: string | undefined; filter?: ContactFilter | undefined },
    ): ({ ok: true } & ContactSegment) | Refusal | null {
      return this.parts.people.segments.change(segmentId, changes, Date.now());
    }

    removeContactSegment(segmentId: string): ContactSegment | null {
      return this.parts.people.segments.remove(segmentId);
    }

    /** All at once; see {@link ContactImports.takeAll}. */
    importContacts(
      importId: string,
      about: ImportAbout,
      contacts: readonly NumberedContact[],
      refused: readonly RowRefusal[],
    ): ContactImport {
      return this.parts.people.imports.takeAll(importId, about, contacts, refused, Date.now());
    }

    /** A file that is stored is read from now on. */
    beginContactImport(importId: string, about: ImportAbout): ContactImport | Refusal {
      const begun = this.parts.people.imports.begin(importId, about, Date.now());
      this.timers.arm();
      return begun;
    }

    /** The import as it is when it is over, or after so long. */
    followContactImport(importId: string, ms: number): Promise<ContactImport> {
      return this.parts.people.imports.follow(importId, ms);
    }

    contactImport(importId: string): ContactImport | null {
      return this.parts.people.importRows.find(importId);
    }

    /** Newest first, one more than `limit` where there are more. */
    contactImports(limit: number, before: string | null): ContactImport[] {
      return this.parts.people.importRows.page(limit, before);
    }
  };
}
