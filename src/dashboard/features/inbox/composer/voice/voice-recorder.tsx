import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../../gateway/client.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { readableDuration } from '../../message/media/file-url.ts';
import { type Recording, startRecording } from './recording.ts';
import classes from './voice-recorder.module.css';

const tickMs = 200;
/** The other side is told this often that somebody records. */
const tellEveryMs = 5_000;

interface VoiceRecorderProps {
  conversationId: string;
  onDone: (file: File) => void;
  onClose: () => void;
}

type State = 'asking' | 'recording' | 'packing' | 'refused' | 'impossible';

/** In the place of the text while somebody speaks. */
export default function VoiceRecorder({ conversationId, onDone, onClose }: VoiceRecorderProps) {
  const t = useTranslations('inbox');
  const [state, setState] = useState<State>('asking');
  const [seconds, setSeconds] = useState(0);
  const recording = useRef<Recording | null>(null);
  useEffect(() => {
    let isGone = false;
    startRecording().then(
      (started) => {
        if (isGone) return started.cancel();
        recording.current = started;
        setState('recording');
      },
      (error: unknown) => setState(error instanceof DOMException ? 'refused' : 'impossible'),
    );
    return () => {
      isGone = true;
      recording.current?.cancel();
    };
  }, []);
  useEffect(() => {
    if (state !== 'recording') return;
    const since = Date.now();
    const timer = setInterval(() => setSeconds((Date.now() - since) / 1000), tickMs);
    const tell = (what: 'recording' | 'paused') =>
      void gateway.conversations.showTyping(conversationId, what, { retryForMs: 0 }).catch(() => {});
    tell('recording');
    const telling = setInterval(() => tell('recording'), tellEveryMs);
    return () => {
      clearInterval(timer);
      clearInterval(telling);
      tell('paused');
    };
  }, [state, conversationId]);
  const finish = async () => {
    setState('packing');
    try {
      const file = await recording.current?.finish();
      recording.current = null;
      if (file !== undefined) onDone(file);
    } catch {
      setState('impossible');
    }
  };
  return (
    <div className={classes.recorder} role="status" aria-live="off">
      <span className={classes.light} data-on={state === 'recording'} />
      <span className={classes.text}>
        {state === 'recording' ? `${t('recording')} ${readableDuration(seconds)}` : t(`recordingIs.${state}`)}
      </span>
      <ActionIcon
        variant="subtle"
        onClick={onClose}
        aria-label={t('dropRecording')}
        title={t('dropRecording')}
      >
        <Icon name="trash" size={17} />
      </ActionIcon>
      {state === 'recording' && (
        <Button size="compact-md" variant="default" onClick={() => void finish()}>
          {t('finishRecording')}
        </Button>
      )}
    </div>
  );
}
