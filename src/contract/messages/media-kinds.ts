/** What a file is sent as. A voice note is `audio` too. */
export const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaKind = (typeof mediaKinds)[number];

export const mebibyte = 1024 * 1024;

/** Largest file of each kind, in bytes. */
export const mediaBytesMax: Record<MediaKind, number> = {
  image: 16 * mebibyte,
  video: 100 * mebibyte,
  audio: 16 * mebibyte,
  document: 100 * mebibyte,
  sticker: mebibyte / 2,
};

/** Types that phones show as this kind; null: any. */
export const mediaTypes: Record<MediaKind, readonly string[] | null> = {
  image: ['image/jpeg', 'image/png', 'image/webp'],
  video: ['video/mp4', 'video/3gpp', 'video/quicktime'],
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr', 'audio/wav'],
  document: null,
  sticker: ['image/webp'],
};
/** What a voice note is when it arrives: Opus in Ogg. */
export const voiceType = 'audio/ogg';
/** What a voice note may be given as: the bridge makes Opus in Ogg of it. WebM looks the same with pictures and without. */
export const voiceTypes: readonly string[] = [
  voiceType,
  'audio/mpeg',
  'audio/wav',
  'audio/webm',
  'video/webm',
];
