import { Flex, Stack, Text, UnstyledButton } from '@mantine/core';
import { type CSSProperties, lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '../../../../parts/hint.tsx';
import { Icon } from '../../../../parts/icon.tsx';
import { fileUrl, type MessageMedia, readableBytes } from './file-url.ts';
import classes from './media.module.css';
import { VoicePlayer } from './voice-player.tsx';

const Viewer = lazy(() => import('./viewer.tsx'));

type MediaType = 'image' | 'video' | 'audio' | 'document' | 'sticker';

interface MediaProps {
  type: MediaType;
  media: MessageMedia;
  /** Asks for the message anew: the addresses of its files are good for an hour. */
  onStale: () => void;
}

/** A file of a message, in its own way. */
export default function Media({ type, media, onStale }: MediaProps) {
  const t = useTranslations('inbox');
  const types = useTranslations('common.messageTypes');
  const url = fileUrl(media);
  if (media.status === 'pending') return <Missing text={t('filePending')} />;
  if (media.status === 'unavailable' || url === null) return <Missing text={t('fileGone')} />;
  if (type === 'sticker') {
    return <img className={classes.sticker} src={url} alt={types(type)} loading="lazy" onError={onStale} />;
  }
  if (type === 'audio') return <VoicePlayer url={url} seconds={media.durationSeconds} onStale={onStale} />;
  if (type === 'document') return <DocumentCard media={media} url={url} />;
  return <Picture type={type} media={media} url={url} onStale={onStale} />;
}

function Missing({ text }: { text: string }) {
  return (
    <Flex component="span" gap={6} align="center" display="inline-flex" c="dimmed" fs="italic">
      <Icon name="file" size={16} />
      {text}
    </Flex>
  );
}

const longest = 300;

/** As large as it will be: nothing moves when it has come. */
function frame({ width, height }: MessageMedia): CSSProperties {
  if (width === undefined || height === undefined) return { width: 260, aspectRatio: '4 / 3' };
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(120, Math.round(width * scale)), aspectRatio: `${width} / ${height}` };
}

interface PictureProps {
  type: 'image' | 'video';
  media: MessageMedia;
  url: string;
  onStale: () => void;
}

function Picture({ type, media, url, onStale }: PictureProps) {
  const t = useTranslations('inbox');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton
        className={classes.picture}
        style={frame(media)}
        onClick={() => setOpen(true)}
        aria-label={type === 'image' ? t('showPicture') : t('showVideo')}
      >
        {type === 'image' ? (
          <img src={url} alt="" loading="lazy" decoding="async" onError={onStale} />
        ) : (
          <>
            <video src={`${url}#t=0.1`} preload="metadata" muted playsInline onError={onStale} />
            <span className={classes.play}>
              <Icon name="play" size={22} />
            </span>
          </>
        )}
      </UnstyledButton>
      <Suspense fallback={null}>
        {isOpen && <Viewer type={type} media={media} url={url} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}

function DocumentCard({ media, url }: { media: MessageMedia; url: string }) {
  const t = useTranslations('inbox');
  const types = useTranslations('common.messageTypes');
  const { fileName, mimetype, bytes } = media;
  const ending = fileName?.includes('.') ? fileName.split('.').at(-1) : mimetype?.split('/').at(-1);
  return (
    <a className={classes.document} href={url} download={fileName ?? true}>
      <span className={classes.ending} aria-hidden="true">
        {(ending ?? '').slice(0, 4).toUpperCase()}
      </span>
      <Stack component="span" gap={0} flex={1} miw={0}>
        <Text span truncate fw={500} dir="auto">
          {fileName ?? types('document')}
        </Text>
        <Hint component="small">
          {[bytes === undefined ? null : readableBytes(bytes), t('download')].filter(Boolean).join(' · ')}
        </Hint>
      </Stack>
      <Icon name="download" size={18} />
    </a>
  );
}
