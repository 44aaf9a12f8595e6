/** What is being recorded. */
export interface Recording {
  /** A voice note as phones know it: Opus in Ogg. */
  finish: () => Promise<File>;
  cancel: () => void;
}

const ogg = 'audio/ogg';
/** What browsers record, best first: some write Ogg themselves, the others the same sound in another wrapping. */
const types = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4;codecs=opus', 'audio/mp4'];

/** Asks for the microphone. Throws a DOMException where that is refused, another error where the browser cannot record. */
export async function startRecording(): Promise<Recording> {
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
