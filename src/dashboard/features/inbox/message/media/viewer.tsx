import { ActionIcon, Flex, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../../../parts/icon.tsx';
import { IconButton } from '../../../../parts/icon-button.tsx';
import type { MessageMedia } from './file-url.ts';
import classes from './media.module.css';

interface ViewerProps {
  type: 'image' | 'video';
  media: MessageMedia;
  url: string;
  onClose: () => void;
}

/** A picture or a video over the whole page; a press on a picture shows it in its own size. */
export default function Viewer({ type, media, url, onClose }: ViewerProps) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const [isWhole, setWhole] = useState(true);
  const name = common(`messageTypes.${type}`);
  return (
    <Modal.Root opened fullScreen onClose={onClose} transitionProps={{ duration: 80 }}>
      <Modal.Content className={classes.viewer} aria-label={name}>
        <Flex gap={4} justify="flex-end" p="10px 14px">
          <ActionIcon
            component="a"
            href={url}
            download={media.fileName ?? true}
            variant="subtle"
            size="lg"
            aria-label={t('download')}
          >
            <Icon name="download" />
          </ActionIcon>
          <IconButton icon="close" name={common('close')} size="lg" onClick={onClose} />
        </Flex>
        <div className={classes.stage} data-whole={isWhole}>
          {type === 'image' ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents: a larger picture is a convenience of the mouse.
            <img src={url} alt={media.caption ?? name} onClick={() => setWhole(!isWhole)} />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for it.
            <video src={url} controls autoPlay playsInline />
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
