import { Progress, Text } from '@mantine/core';
import { useCallback, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { mediaBytesMax } from '../../../../contract/messages/media-kinds.ts';
import { ApiError } from '../../../../sdk/index.ts';
import { Icon } from '../../../parts/icon.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { upload } from '../../../queries/conversations/upload.ts';
import { readableBytes } from '../message/media/file-url.ts';
import { VoicePlayer } from '../message/media/voice-player.tsx';
import classes from './attachments.module.css';
import type { DraftFile, DraftOf } from './drafts.ts';
import { kindOf } from './sending/outgoing.ts';

class FileTooLarge extends Error {
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

/** The files of a draft, and how far each has come. */
export function FileChips(props: { files: readonly DraftFile[]; onRemove: (id: string) => void }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  if (props.files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={t('files')}>
      {props.files.map((file) => (
        <li key={file.id} className={classes.file} data-state={file.state.kind}>
          {file.preview !== undefined && file.type.startsWith('image/') ? (
            <img src={file.preview} alt="" />
          ) : (
            <span className={classes.icon}>
              <Icon name={file.type.startsWith('audio/') ? 'microphone' : 'file'} size={18} />
            </span>
          )}
          <span className={classes.text}>
            {file.isVoice && file.preview !== undefined ? (
              <VoicePlayer url={file.preview} seconds={undefined} />
            ) : (
              <Text span truncate dir="auto">
                {file.name}
              </Text>
            )}
            <State file={file} />
          </span>
          <IconButton
            icon="close"
            iconSize={14}
            name={common('removeNamed', { name: file.name })}
            size="sm"
            onClick={() => props.onRemove(file.id)}
          />
        </li>
      ))}
    </ul>
  );
}

function State({ file }: { file: DraftFile }) {
  const t = useTranslations('inbox');
  const { state, name } = file;
  if (state.kind === 'uploading') {
    return <Progress value={state.share * 100} size="xs" aria-label={t('uploading', { name })} />;
  }
  if (state.kind === 'ready') return <small>{readableBytes(file.bytes)}</small>;
  const { error } = state;
  const reason =
    error instanceof FileTooLarge
      ? t('fileTooLarge', { max: readableBytes(error.bytesMax) })
      : error instanceof ApiError
        ? error.message
        : t('uploadFailed');
  return (
    <small className={classes.failed} role="alert">
      {reason}
    </small>
  );
}
