import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { invalidField, type Refusal, refuse } from '../../../../contract/errors.ts';
import type {
  ContactImport,
  ImportAbout,
} from '../../../../durable/event-log/contacts/imports/import-rows.ts';
import { newUuid } from '../../../../durable/new-ids.ts';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { csvOf } from '../../../http/answer/csv.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { fileOfForm, formRefusal } from '../../../http/request/body/form-file.ts';
import { readJson } from '../../../http/request/body/json-body.ts';
import { ClientGone } from '../../../http/request/body/rest-of-body.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { notFound, uuidPathId } from '../../../http/request/shared-fields.ts';
import { validationRefusal } from '../../../http/request/validation-details.ts';
import { askLog } from '../../../object-calls.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import { writeAuditEntry } from '../../audit-log/rows.ts';
import { knownAmong } from '../../messages/sending/known-addresses.ts';
import { readPhoneNumberOf } from '../../messages/sending/recipient.ts';
import type { contactImportListSchema, contactImportSchema } from '../records.ts';
import { mappingRefusal, shapeOf, usualMapping } from './files/csv-shape.ts';
import { ImportFiles } from './files/import-files.ts';
import { importBody, importFileFields, judgeAll, shownImport } from './import-request.ts';

/** Contacts that come by the thousand. */
export const contactImportRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');
const noSuchImport = notFound('import');
const noImport = refuse(
  'UNSUPPORTED_MEDIA_TYPE',
  'Send a file as text/csv or multipart/form-data, or contacts as application/json in UTF-8.',
);
/** So long an answer waits for a file to be in. */
const answerMsMax = 4_000;

contactImportRoutes.post('/import', caller, query(importFileFields), async (c) => {
  const imported = isCsv(c.req.raw) ? await importFile(c) : await importJson(c);
  if ('ok' in imported) return renderRefusal(c, imported);
  const { importId, about, status } = imported;
  await writeAuditEntry(auditOf(c), 'contacts.imported', `contact_import:${importId}`, about.fileName);
  return c.json<z.infer<typeof contactImportSchema>>(shownImport(imported), status === 'running' ? 202 : 200);
});

async function importJson(c: Context<AppEnv>): Promise<ContactImport | Refusal> {
  const [inQuery] = Object.keys(c.req.query());
  const read = await readJson(c.req.raw);
  if (!read.ok) return read.code === 'UNSUPPORTED_MEDIA_TYPE' ? noImport : read;
  if (inQuery !== undefined) return invalidField(inQuery, 'With JSON it stands in the body.');
  const parsed = importBody.safeParse(read.value);
  if (!parsed.success) return validationRefusal(parsed.error);
  const { importId = newUuid(), consentSource, labels = [], defaultCountry = null } = parsed.data;
  const { accountId } = c.get('caller');
  const doubtful = parsed.data.contacts.flatMap(
    ({ phoneNumber }) => readPhoneNumberOf(phoneNumber, defaultCountry).perhaps ?? [],
  );
  const { fit, refused } = judgeAll(parsed.data, await knownAmong(c.env, accountId, doubtful));
  const about: ImportAbout = {
    ...{ consentSource, labels, defaultCountry },
    ...{ fileName: null, mapping: {}, shape: null },
  };
  return askLog(c.env, accountId, (log) => log.importContacts(importId, about, fit, refused));
}

/** The file goes to R2 as it comes; from there the log takes it row by row. */
async function importFile(c: Context<AppEnv>): Promise<ContactImport | Refusal> {
  const upload = await uploadedCsv(c.req.raw);
  if (!upload.ok) return upload;
  const { accountId } = c.get('caller');
  const given = importFileFields.safeParse({ ...c.req.query(), ...upload.fields });
  const refusal = given.success
    ? given.data.consentSource === undefined
      ? invalidField('consentSource', 'This field is required.')
      : null
    : validationRefusal(given.error);
  if (refusal !== null || !given.success) {
    await upload.body.cancel().catch(() => undefined);
    return refusal ?? invalidField('body', 'Not valid.');
  }
  const { importId = newUuid(), consentSource = '', labels = [], defaultCountry = null } = given.data;
  const follow = () => askLog(c.env, accountId, (log) => log.followContactImport(importId, answerMsMax));
  if ((await askLog(c.env, accountId, (log) => log.contactImport(importId))) !== null) {
    await upload.body.cancel().catch(() => undefined);
    return follow();
  }
  const files = new ImportFiles(c.env);
  const stored = await files.store(accountId, importId, upload.body, upload.bytesKnown).catch((error) => {
    if (c.req.raw.signal.aborted)
      throw new ClientGone('the client hung up within its file', { cause: error });
    return formRefusal(error);
  });
  if (!stored.ok) return stored;
  const shape = shapeOf(stored.head, stored.bytes);
  const mapping = shape.ok ? (given.data.mapping ?? usualMapping(shape.columns)) : {};
  const unfit = shape.ok ? mappingRefusal(mapping, shape.columns) : shape;
  if (unfit !== null || !shape.ok) {
    await files.forget(accountId, importId);
    return unfit ?? noSuchImport;
  }
  const { ok: _, ...fileShape } = shape;
  const fileName = given.data.fileName ?? upload.fileName;
  const about: ImportAbout = {
    ...{ consentSource, labels, defaultCountry },
    ...{ fileName, mapping, shape: fileShape },
  };
  const begun = await askLog(c.env, accountId, (log) => log.beginContactImport(importId, about));
  if ('ok' in begun) {
    await files.forget(accountId, importId);
    return begun;
  }
  // Its file came in first, and nobody reads this one.
  if (begun.status !== 'running') await files.forget(accountId, importId);
  return follow();
}

contactImportRoutes.get('/imports', caller, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const rows = await askLog(c.env, accountId, (log) => log.contactImports(limit, cursor ?? null));
  return c.json<z.infer<typeof contactImportListSchema>>(
    page(c, rows as ContactImport[], limit, ({ importId }) => importId, shownImport),
  );
});

contactImportRoutes.get('/imports/:id', caller, uuidPathId('id', 'import'), async (c) => {
  const { accountId } = c.get('caller');
  const found = await askLog(c.env, accountId, (log) => log.contactImport(c.req.param('id')));
  if (found === null) return renderRefusal(c, noSuchImport);
  return c.json<z.infer<typeof contactImportSchema>>(shownImport(found as ContactImport));
});

/** The refused rows as a file: what was wrong with each, and its cells as they were. */
contactImportRoutes.get('/imports/:id/refused', caller, uuidPathId('id', 'import'), async (c) => {
  const { accountId } = c.get('caller');
  const found = (await askLog(c.env, accountId, (log) =>
    log.contactImport(c.req.param('id')),
  )) as ContactImport | null;
  if (found === null) return renderRefusal(c, noSuchImport);
  const columns = found.about.shape?.columns ?? [];
  const head = csvOf([['row', 'field', 'error', ...columns]]);
  c.header('Content-Type', 'text/csv; charset=utf-8');
  c.header('Content-Disposition', `attachment; filename="refused-${found.importId}.csv"`);
  if (found.about.shape === null) {
    return c.body(head + csvOf(found.refused.map(({ row, path, message }) => [row, path, message])));
  }
  const parts = new ImportFiles(c.env).refused(accountId, found.importId);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  c.executionCtx.waitUntil(
    (async () => {
      const writer = writable.getWriter();
      await writer.write(new TextEncoder().encode(`\u{feff}${head}`));
      writer.releaseLock();
      for await (const part of parts) await part.pipeTo(writable, { preventClose: true });
      await writable.close();
    })().catch(() => writable.abort().catch(() => undefined)),
  );
  return c.body(readable);
});

/** A file of contacts as a request brings it. Nothing of it is read yet. */
interface UploadedCsv {
  ok: true;
  body: ReadableStream<Uint8Array>;
  bytesKnown: number | null;
  fileName: string | null;
  /** The fields of a form that stand before the file. */
  fields: Record<string, string>;
}

const csvTypes = ['text/csv', 'application/csv', 'application/vnd.ms-excel', 'application/octet-stream'];

const isCsv = (request: Request): boolean => {
  const type = typeOf(request);
  return type === 'multipart/form-data' || csvTypes.includes(type);
};

const typeOf = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The raw body, or the field `file` of a form. */
async function uploadedCsv(request: Request): Promise<UploadedCsv | Refusal> {
  if (request.body === null) return invalidField('file', 'The file is missing.');
  if (typeOf(request) === 'multipart/form-data') return csvOfForm(request.headers, request.body);
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the file as it is, without Content-Encoding.');
  }
  const announced = request.headers.get('content-length');
  const bytesKnown = announced === null ? null : Number(announced);
  return { ok: true, body: request.body, bytesKnown, fileName: null, fields: {} };
}

/** What may stand in the form before the file. */
const formFields = Object.keys(importFileFields.shape);

async function csvOfForm(headers: Headers, body: ReadableStream<Uint8Array>): Promise<UploadedCsv | Refusal> {
  const form = await fileOfForm(headers, body, formFields);
  if (!form.ok) return form;
  const { fields, fileName } = form;
  return {
    ok: true,
    body: form.body,
    bytesKnown: null,
    fileName: fileName ? fileName.slice(0, 200) : null,
    fields,
  };
}
