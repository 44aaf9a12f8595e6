import { ActionIcon, Flex, UnstyledButton } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../../../parts/icon.tsx';
import { readableDuration } from './file-url.ts';
import classes from './media.module.css';

const speeds = [1, 1.5, 2] as const;

/** Plays a voice note; another one that plays falls silent. */
export function VoicePlayer(props: { url: string; seconds: number | undefined; onStale?: () => void }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(props.seconds ?? 0);
  const [speed, setSpeed] = useState<(typeof speeds)[number]>(1);
  const toggle = () => {
    const own = audio.current;
    if (own === null) return;
    if (!own.paused) return own.pause();
    for (const other of document.querySelectorAll('audio')) if (other !== own) other.pause();
    void own.play().catch(() => props.onStale?.());
  };
  const faster = () => {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1;
    setSpeed(next);
    if (audio.current !== null) audio.current.playbackRate = next;
  };
  return (
    <Flex gap="xs" align="center" w={280} maw="100%">
      {/* biome-ignore lint/a11y/useMediaCaption: nobody wrote down what is said. */}
      <audio
        ref={audio}
        src={props.url}
        preload={props.seconds === undefined ? 'metadata' : 'none'}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onLoadedMetadata={({ currentTarget: { duration } }) => {
          if (Number.isFinite(duration)) setLength(duration);
        }}
      />
      <ActionIcon
        variant="filled"
        radius="xl"
        size={34}
        onClick={toggle}
        aria-label={isPlaying ? common('pause') : t('play')}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} size={16} />
      </ActionIcon>
      <input
        type="range"
        className={classes.track}
        min={0}
        max={Math.max(length, 0.1)}
        step={0.1}
        value={Math.min(at, length)}
        aria-label={t('position')}
        aria-valuetext={readableDuration(at)}
        onChange={(event) => {
          const to = Number(event.currentTarget.value);
          setAt(to);
          if (audio.current !== null) audio.current.currentTime = to;
        }}
      />
      <span className={classes.time}>{readableDuration(isPlaying || at > 0 ? at : length)}</span>
      <UnstyledButton className={classes.speed} onClick={faster} aria-label={t('speed', { speed })}>
        {`${speed}×`}
      </UnstyledButton>
    </Flex>
  );
}
