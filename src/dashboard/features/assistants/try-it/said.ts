import type { TryAssistantRequest } from '../../../../sdk/index.ts';

/** What was said in a conversation that is tried. */
export type Said = TryAssistantRequest['messages'][number];
