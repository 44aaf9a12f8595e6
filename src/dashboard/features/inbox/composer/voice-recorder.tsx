import { Button, Flex } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { IconButton } from '../../../parts/icon-button.tsx';
import { readableDuration } from '../message/media/file-url.ts';
import classes from './attachments.module.css';

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
    <Flex gap="xs" align="center" mih={34} role="status" aria-live="off">
      <span className={classes.light} data-on={state === 'recording'} />
      <span className={classes.recorderText}>
        {state === 'recording' ? `${t('recording')} ${readableDuration(seconds)}` : t(`recordingIs.${state}`)}
      </span>
      <IconButton icon="trash" iconSize={17} name={t('dropRecording')} onClick={onClose} />
      {state === 'recording' && (
        <Button size="compact-md" variant="default" onClick={() => void finish()}>
          {t('finishRecording')}
        </Button>
      )}
    </Flex>
  );
}

/** What is being recorded. */
interface Recording {
  /** A voice note as phones know it: Opus in Ogg. */
  finish: () => Promise<File>;
  cancel: () => void;
}

const ogg = 'audio/ogg';
/** What browsers record, best first: some write Ogg themselves, the others the same sound in another wrapping. */
const types = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4;codecs=opus', 'audio/mp4'];

/** Asks for the microphone. Throws a DOMException where that is refused, another error where the browser cannot record. */
async function startRecording(): Promise<Recording> {
  const type = types.find((one) => globalThis.MediaRecorder?.isTypeSupported(one));
  if (type === undefined || navigator.mediaDevices === undefined)
    throw new Error('This browser cannot record.');
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 32_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
    for (const track of stream.getTracks()) track.stop();
  };
  recorder.start();
  return {
    cancel: stop,
    async finish() {
      stop();
      await stopped;
      const recorded = new Blob(parts, { type });
      const name = `voice-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.ogg`;
      const bytes = type.startsWith(ogg) ? recorded : await inOgg(recorded);
      return new File([bytes], name, { type: ogg });
    },
  };
}

/** The same sound in Ogg; it is encoded anew only where it is no Opus. */
async function inOgg(recorded: Blob): Promise<Blob> {
  const { ALL_FORMATS, BlobSource, BufferTarget, Conversion, Input, OggOutputFormat, Output } = await import(
    'mediabunny'
  );
  const target = new BufferTarget();
  const input = new Input({ source: new BlobSource(recorded), formats: ALL_FORMATS });
  const output = new Output({ format: new OggOutputFormat(), target });
  const conversion = await Conversion.init({ input, output, audio: { codec: 'opus' }, showWarnings: false });
  if (!conversion.isValid) throw new Error('This browser cannot make a voice note.');
  await conversion.execute();
  if (target.buffer === null) throw new Error('The recording is empty.');
  return new Blob([target.buffer]);
}
