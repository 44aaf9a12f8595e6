import { useCallback, useRef } from 'react';
import { mediaBytesMax } from '../../../../../contract/messages/media-kinds.ts';
import { upload } from '../../../../queries/conversations/upload.ts';
import type { DraftFile, DraftOf } from '../drafts.ts';
import { kindOf } from '../sending/outgoing.ts';

export class FileTooLarge extends Error {
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super('The file is too large');
    this.bytesMax = bytesMax;
  }
}

/** Puts files into a draft, and uploads them at once: what is sent then is there already. */
export function useFiles({ store, change }: DraftOf) {
  const uploads = useRef(new Map<string, AbortController>());
  const patch = useCallback(
    (id: string, changes: Partial<DraftFile>) =>
      change({ files: store.value.files.map((file) => (file.id === id ? { ...file, ...changes } : file)) }),
    [store, change],
  );
  const add = useCallback(
    (files: readonly File[], isVoice = false) => {
      for (const file of files) {
        const id = crypto.randomUUID();
        const [type = ''] = file.type.split(';');
        const bytesMax = mediaBytesMax[kindOf(type)];
        const isShown = type.startsWith('image/') || type.startsWith('audio/');
        const added: DraftFile = {
          id,
          name: file.name,
          type,
          bytes: file.size,
          isVoice,
          state:
            file.size > bytesMax
              ? { kind: 'failed', error: new FileTooLarge(bytesMax) }
              : { kind: 'uploading', share: 0 },
          ...(isShown && { preview: URL.createObjectURL(file) }),
        };
        change({ files: [...store.value.files, added] });
        if (added.state.kind === 'failed') continue;
        const ending = new AbortController();
        uploads.current.set(id, ending);
        upload(file, {
          signal: ending.signal,
          onProgress: (share) => patch(id, { state: { kind: 'uploading', share } }),
        }).then(
          ({ mediaId }) => patch(id, { state: { kind: 'ready', mediaId } }),
          (error: unknown) => {
            if (!ending.signal.aborted) patch(id, { state: { kind: 'failed', error } });
          },
        );
      }
    },
    [store, change, patch],
  );
  const remove = useCallback(
    (id: string) => {
      uploads.current.get(id)?.abort();
      change({ files: store.value.files.filter((file) => file.id !== id) });
    },
    [store, change],
  );
  return { add, remove };
}
