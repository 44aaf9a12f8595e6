import type {
  AddAssistantDocumentRequest,
  Assistant,
  AssistantInstructionsList,
  AssistantProviderTest,
  AssistantReport,
  AssistantRun,
  AssistantTrial,
  ConversationAssistant,
  ConversationAssistantStanding,
  CreateAssistantRequest,
  KnowledgeDocument,
  KnowledgePassages,
  OrderConversationAssistantRequest,
  TryAssistantRequest,
  UpdateAssistantRequest,
} from '../generated/api-types.ts';
import { Collection } from '../http/collection.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { Bytes, CallOptions } from '../http/transport.ts';

/** A model may take its time. */
const trialMs = 120_000;

export interface RunFilter {
  outcome?: AssistantRun['outcome'];
  conversationId?: string;
}

/** AI that answers conversations. Takes the token of an owner or admin. */
export class Assistants extends Collection<Assistant, CreateAssistantRequest, UpdateAssistantRequest> {
  /** What it would say to a conversation, and why. Nothing is sent. */
  try(id: string, trial: TryAssistantRequest, options: CallOptions = {}): Promise<AssistantTrial> {
    return this.ask('POST', [id, 'try'], { timeoutMs: trialMs, ...options }, trial);
  }

  /** Whether its provider answers. */
  testProvider(id: string, options: CallOptions = {}): Promise<AssistantProviderTest> {
    return this.ask('POST', [id, 'test-provider'], options);
  }

  /** Teaches it a text, or what lies at a URL. */
  addDocument(
    id: string,
    document: AddAssistantDocumentRequest,
    options: CallOptions = {},
  ): Promise<KnowledgeDocument> {
    return this.ask('POST', [id, 'documents'], options, document);
  }

  /** Teaches it a text, Markdown, HTML or PDF file. */
  uploadDocument(
    id: string,
    name: string,
    bytes: Bytes,
    options: CallOptions = {},
  ): Promise<KnowledgeDocument> {
    const type = bytes instanceof Blob && bytes.type !== '' ? bytes.type : 'application/octet-stream';
    return this.ask('POST', [id, 'documents', 'upload'], {
      ...options,
      raw: { bytes, type },
      query: { name },
    });
  }

  documents(id: string, options: ListOptions = {}): List<KnowledgeDocument> {
    return this.listOf([id, 'documents'], options);
  }

  document(id: string, documentId: string, options: CallOptions = {}): Promise<KnowledgeDocument> {
    return this.ask('GET', [id, 'documents', documentId], options);
  }

  /** Reads what lies at the URL of a document again, now. */
  readDocument(id: string, documentId: string, options: CallOptions = {}): Promise<KnowledgeDocument> {
    return this.ask('POST', [id, 'documents', documentId, 'read'], options);
  }

  deleteDocument(id: string, documentId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id, 'documents', documentId], options);
  }

  /** The pieces of its documents that it would find for these words. */
  search(id: string, words: string, options: CallOptions = {}): Promise<KnowledgePassages> {
    return this.ask('GET', [id, 'knowledge'], { ...options, query: { q: words } });
  }

  /** What it was asked and what came of it, newest first. */
  runs(id: string, filter: RunFilter = {}, options: ListOptions = {}): List<AssistantRun> {
    return this.listOf([id, 'runs'], options, { ...filter });
  }

  run(id: string, turnId: string, options: CallOptions = {}): Promise<AssistantRun> {
    return this.ask('GET', [id, 'runs', turnId], options);
  }

  /** What it was told so far, the newest wording first, and what came of it. */
  instructions(id: string, options: ListOptions = {}): List<AssistantInstructionsList['data'][number]> {
    return this.listOf([id, 'instructions'], options);
  }

  /** How much it answered and handed over, and what that cost. */
  report(id: string, days = 30, options: CallOptions = {}): Promise<AssistantReport> {
    return this.ask('GET', [id, 'report'], { ...options, query: { days } });
  }
}

/** The assistant in a conversation. Takes the token of anybody who is signed in. */
export class ConversationAssistants extends Resource {
  /** Which one answers there, and which ones could. */
  get(conversationId: string, options: CallOptions = {}): Promise<ConversationAssistantStanding> {
    return this.ask('GET', [conversationId, 'assistant'], options);
  }

  /** How it came to one of its messages: the message's origin names the run. */
  run(conversationId: string, turnId: string, options: CallOptions = {}): Promise<AssistantRun> {
    return this.ask('GET', [conversationId, 'assistant', 'runs', turnId], options);
  }

  /** Pauses it, lets it answer again, has it hand over, or takes the conversation from it. */
  order(
    conversationId: string,
    order: OrderConversationAssistantRequest,
    options: CallOptions = {},
  ): Promise<ConversationAssistant> {
    return this.ask('POST', [conversationId, 'assistant'], options, order);
  }
}
