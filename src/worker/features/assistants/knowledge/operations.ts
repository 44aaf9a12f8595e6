import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { documentBytesMax, documentFields } from '../../../../contract/assistants/document.ts';
import { invalidField, type Refusal, refuse } from '../../../../contract/errors.ts';
import { isoTime } from '../../../../contract/times.ts';
import type {
  KnowledgeDocument,
  NewDocument,
  Passage,
  ReadText,
} from '../../../../durable/knowledge/document.ts';
import { newUuid } from '../../../../durable/new-ids.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import type { AppEnv } from '../../../app-env.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { formRefusal } from '../../../http/request/body/form-file.ts';
import { emptyBody, jsonBody } from '../../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { notFound, uuidPathId } from '../../../http/request/shared-fields.ts';
import { askKnowledge } from '../../../object-calls.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../outbound-http/webhook-url.ts';
import { refusedUpload, uploadOf } from '../../media/upload-request.ts';
import { assistantPath, noSuchAssistant, ownAssistant } from '../own-assistant.ts';
import type { documentListSchema, documentSchema, passagesSchema } from '../records.ts';
import type { AssistantRow } from '../rows.ts';
import { pageText, readOf, textKindOf } from './document-text.ts';
import { searchKnowledge } from './search-knowledge.ts';
import { embedderName, vectorIndexOf } from './vectors.ts';

export const documentRoutes = new Hono<AppEnv>();

const noSuchDocument = notFound('document');
const documentPath = uuidPathId('documentId', 'document');
const passagesMax = 8;

const writtenSchema = z
  .strictObject({
    name: documentFields.name.optional(),
    text: z.string().min(1).max(1_000_000).optional(),
    format: z.enum(['text', 'markdown']).optional(),
    url: z.string().max(2048).optional(),
    isSitemap: z.boolean().optional(),
    rereadHours: documentFields.rereadHours.optional(),
  })
  .superRefine((written, context) => {
    const isText = written.text !== undefined;
    if (isText === (written.url !== undefined)) {
      context.addIssue({ code: 'custom', path: ['text'], message: 'Send either a text or a URL.' });
    }
    if (isText && written.name === undefined) {
      context.addIssue({ code: 'custom', path: ['name'], message: 'A text needs a name.' });
    }
    for (const field of isText ? (['isSitemap', 'rereadHours'] as const) : (['format'] as const)) {
      if (written[field] === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: `Only for a ${isText ? 'URL' : 'text'}.` });
    }
  });

const showDocument = (document: KnowledgeDocument) => ({
  documentId: document.documentId,
  assistantId: document.assistantId,
  kind: document.kind,
  name: document.name,
  url: document.url,
  state: document.state,
  error: document.error,
  characters: document.characters,
  chunks: document.chunks,
  pages: document.pages,
  rereadHours: document.rereadHours,
  createdAt: isoTime(document.createdAt),
  readAt: isoTime(document.readAt),
  nextReadAt: isoTime(document.nextReadAt),
});

const showPassage = ({ documentId, name, url, heading, text, score }: Passage) => ({
  documentId,
  name,
  url,
  heading,
  text,
  score,
});

async function add(
  c: Context<AppEnv>,
  assistant: AssistantRow,
  document: NewDocument,
  read: ReadText | null,
) {
  const { accountId } = c.get('caller');
  // Also what was taught before the deployment had an index gets its vectors then.
  if (vectorIndexOf(c.env) !== null) {
    const embedder = embedderName(c.env, assistant);
    await askKnowledge(c.env, accountId, (knowledge) => knowledge.setEmbedder(assistant.id, embedder));
  }
  const added = await askKnowledge(c.env, accountId, (knowledge) => knowledge.add(accountId, document, read));
  if ('ok' in added) return renderRefusal(c, added);
  return c.json<z.infer<typeof documentSchema>>(showDocument(added), 201);
}

documentRoutes.post('/:id/documents', assistantPath, jsonBody(writtenSchema), async (c) => {
  const assistant = await ownAssistant(c);
  if (assistant === null) return renderRefusal(c, noSuchAssistant);
  const { name, text, format = 'text', url, isSitemap, rereadHours = null } = c.req.valid('json');
  const common = { documentId: newUuid(), assistantId: assistant.id, rereadHours };
  if (url !== undefined) {
    const problem = webhookUrlProblem(url, webhookUrlRules(settingsOf(c.env), new URL(c.req.url).host));
    if (problem !== null) return renderRefusal(c, invalidField('url', problem));
    const kind = isSitemap ? 'sitemap' : 'url';
    return add(c, assistant, { ...common, kind, name: name ?? url.slice(0, 200), url }, null);
  }
  const read = await readOf([{ url: null, title: '', text: text ?? '' }]);
  if (!read.ok) return renderRefusal(c, invalidField('text', read.error));
  return add(c, assistant, { ...common, kind: format, name: name ?? '', url: null }, read.read);
});

const uploadQuery = z.strictObject({ name: documentFields.name.optional() });

documentRoutes.post('/:id/documents/upload', assistantPath, query(uploadQuery), async (c) => {
  const upload = await uploadOf(c.req.raw);
  if (!upload.ok && upload.code === 'UNSUPPORTED_MEDIA_TYPE') return renderRefusal(c, upload);
  const assistant = await ownAssistant(c);
  if (assistant === null) return renderRefusal(c, noSuchAssistant);
  if (!upload.ok) return renderRefusal(c, upload);
  const bytes = await bytesOf(upload.file.body).catch(formRefusal);
  if (!(bytes instanceof Uint8Array)) return renderRefusal(c, bytes);
  const { field } = upload;
  if (bytes.byteLength === 0) return renderRefusal(c, invalidField(field, 'The file is empty.'));
  const name = c.req.valid('query').name ?? upload.file.fileName ?? 'Untitled';
  const type = typeOf(name, upload.file.typeNamed);
  const text = await pageText(type, bytes, null);
  if (!text.ok) return renderRefusal(c, refusedUpload(refuse('UNSUPPORTED_MEDIA_TYPE', text.error), field));
  const read = await readOf([text.page]);
  if (!read.ok) return renderRefusal(c, invalidField(field, read.error));
  const found = textKindOf(type, bytes);
  const kind = found === 'pdf' || found === 'markdown' ? found : 'text';
  const { title: _, ...kept } = read.read;
  const document: NewDocument = {
    documentId: newUuid(),
    assistantId: assistant.id,
    kind,
    name,
    url: null,
    rereadHours: null,
  };
  return add(c, assistant, document, kept);
});

/** Browsers do not know Markdown: the name of the file does. */
function typeOf(name: string, named: string | null): string {
  if (/\.(md|markdown)$/i.test(name)) return 'text/markdown';
  if (/\.html?$/i.test(name)) return 'text/html';
  return named ?? '';
}

const tooLarge = refuse('PAYLOAD_TOO_LARGE', 'The file is larger than 10 MiB.', {
  details: [{ bytesMax: documentBytesMax }],
});

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array | Refusal> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.byteLength;
    if (length > documentBytesMax) return tooLarge;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

documentRoutes.get('/:id/documents', assistantPath, query(z.strictObject(listQuery)), async (c) => {
  const assistant = await ownAssistant(c);
  if (assistant === null) return renderRefusal(c, noSuchAssistant);
  const { limit, cursor = null } = c.req.valid('query');
  const rows = await askKnowledge(c.env, assistant.accountId, (knowledge) =>
    knowledge.documents(assistant.id, limit, cursor),
  );
  return c.json<z.infer<typeof documentListSchema>>(
    page(c, rows, limit, ({ documentId }) => documentId, showDocument),
  );
});

const searchQuery = z.strictObject({ q: z.string().max(500).default('') });

documentRoutes.get('/:id/knowledge', assistantPath, query(searchQuery), async (c) => {
  const assistant = await ownAssistant(c);
  if (assistant === null) return renderRefusal(c, noSuchAssistant);
  const { q } = c.req.valid('query');
  const passages = await searchKnowledge(c.env, assistant, q, passagesMax);
  return c.json<z.infer<typeof passagesSchema>>({ data: passages.map(showPassage) });
});

async function ownDocument(c: Context<AppEnv>): Promise<KnowledgeDocument | null> {
  const assistant = await ownAssistant(c);
  if (assistant === null) return null;
  const documentId = c.req.param('documentId') ?? '';
  const found = await askKnowledge(c.env, assistant.accountId, (knowledge) => knowledge.find(documentId));
  return found?.assistantId === assistant.id ? found : null;
}

documentRoutes.get('/:id/documents/:documentId', assistantPath, documentPath, async (c) => {
  const document = await ownDocument(c);
  if (document === null) return renderRefusal(c, noSuchDocument);
  return c.json<z.infer<typeof documentSchema>>(showDocument(document));
});

documentRoutes.post('/:id/documents/:documentId/read', assistantPath, documentPath, emptyBody, async (c) => {
  const document = await ownDocument(c);
  if (document === null) return renderRefusal(c, noSuchDocument);
  const { accountId } = c.get('caller');
  const read = await askKnowledge(c.env, accountId, (knowledge) => knowledge.readAgain(document.documentId));
  if (read === null) return renderRefusal(c, noSuchDocument);
  if ('ok' in read) return renderRefusal(c, read);
  return c.json<z.infer<typeof documentSchema>>(showDocument(read), 202);
});

documentRoutes.delete('/:id/documents/:documentId', assistantPath, documentPath, async (c) => {
  const document = await ownDocument(c);
  if (document === null) return renderRefusal(c, noSuchDocument);
  const { accountId } = c.get('caller');
  await askKnowledge(c.env, accountId, (knowledge) => knowledge.remove(document.documentId));
  return c.body(null, 204);
});
