import type { Words } from '../../../words/texts.ts';

export const inboxAssistant: Words['inboxAssistant'] = {
  assistant: 'Asisten',
  active: '{name} menjawab di sini.',
  answering: '{name} akan segera menjawab…',
  paused: '{name} dijeda di sini.',
  off: '{name} tidak menjawab di sini.',
  why: 'Alasan jawaban ini',
  loading: 'Memuat…',
  gone: 'Rinciannya sudah tidak disimpan.',
  sources: 'Sumber',
  noSources: 'Hanya dari instruksinya: tidak ada dokumen yang dipakai.',
  handedOff: 'Lalu percakapan diserahkan ke petugas.',
  tools: 'Alat: {names}',
  tokens: '{read} token masukan, {written} token keluaran',
  seconds: '{seconds} dtk',
  actions: {
    take_over: 'Ambil alih',
    pause: 'Jeda',
    hand_off: 'Serahkan',
    resume: 'Lanjutkan',
  },
};
