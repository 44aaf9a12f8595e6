import { ActionIcon, Progress } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ApiError } from '../../../../../sdk/index.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { readableBytes } from '../../message/media/file-url.ts';
import { VoicePlayer } from '../../message/media/voice-player.tsx';
import type { DraftFile } from '../drafts.ts';
import classes from './file-chips.module.css';
import { FileTooLarge } from './use-files.ts';

/** The files of a draft, and how far each has come. */
export function FileChips(props: { files: readonly DraftFile[]; onRemove: (id: string) => void }) {
  const t = useTranslations('inbox');
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
              <span className={classes.name} dir="auto">
                {file.name}
              </span>
            )}
            <State file={file} />
          </span>
          <ActionIcon
            variant="subtle"
            size="sm"
            onClick={() => props.onRemove(file.id)}
            aria-label={t('removeFile', { name: file.name })}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
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
