import { useCallback, useMemo } from 'react';
import type { Message } from '../../../../sdk/index.ts';
import { session } from '../../../gateway/session.ts';
import { Store, useStore } from '../../../gateway/store.ts';

export interface DraftFile {
  id: string;
  name: string;
  /** A type and its subtype, without parameters. */
  type: string;
  bytes: number;
  isVoice: boolean;
  state:
    | { kind: 'uploading'; share: number }
    | { kind: 'ready'; mediaId: string }
    | { kind: 'failed'; error: unknown };
  /** Shows it before it is there; only in this tab. */
  preview?: string;
}

export interface Draft {
  text: string;
  /** For colleagues alone. */
  isNote: boolean;
  quoted: Pick<Message, 'messageId' | 'text' | 'direction'> | null;
  files: readonly DraftFile[];
}

const empty: Draft = { text: '', isNote: false, quoted: null, files: [] };
const stores = new Map<string, Store<Draft>>();

/** One person's drafts are not the next one's on this machine. */
const storageKey = (conversationId: string) => {
  const { value } = session.current;
  return `heliograph-draft ${value?.account.id} ${value?.user.id} ${conversationId}`;
};

export function draftStore(conversationId: string): Store<Draft> {
  const key = storageKey(conversationId);
  const known = stores.get(key);
  if (known !== undefined) return known;
  const store = new Store(kept(key));
  store.subscribe(() => keep(key, store.value));
  stores.set(key, store);
  return store;
}

function kept(key: string): Draft {
  try {
    const draft: Draft = JSON.parse(localStorage.getItem(key) ?? 'null') ?? empty;
    return { ...empty, ...draft };
  } catch {
    return empty;
  }
}

/** What is not uploaded yet cannot be kept over a reload. */
function keep(key: string, { text, isNote, quoted, files }: Draft): void {
  const ready = files.filter(({ state }) => state.kind === 'ready').map(({ preview: _, ...file }) => file);
  try {
    if (text === '' && quoted === null && ready.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ text, isNote, quoted, files: ready }));
  } catch {
    // The browser keeps no more: the draft is there while the tab is.
  }
}

export function useDraft(conversationId: string) {
  const store = draftStore(conversationId);
  const value = useStore(store);
  const change = useCallback((changes: Partial<Draft>) => store.set({ ...store.value, ...changes }), [store]);
  return useMemo(() => ({ store, value, change }), [store, value, change]);
}

export type DraftOf = ReturnType<typeof useDraft>;

export const emptied = (draft: Draft): Draft => ({ ...empty, isNote: draft.isNote });

/** What could not be sent stands before what was written meanwhile. */
export function restored(unsent: Draft, now: Draft): Draft {
  return {
    ...now,
    isNote: unsent.isNote,
    text: [unsent.text, now.text].filter((text) => text !== '').join('\n'),
    quoted: unsent.quoted ?? now.quoted,
    files: [...unsent.files, ...now.files],
  };
}
