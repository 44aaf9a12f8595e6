import type { Words } from '../../../words/texts.ts';

export const inboxAssistant: Words['inboxAssistant'] = {
  assistant: 'Asisten',
  active: '{name} menjawab di sini.',
  answering: '{name} akan segera menjawab …',
  paused: '{name} dijeda di sini: tim Anda yang menjawab.',
  off: '{name} tidak menjawab di sini.',
  why: 'Mengapa jawaban ini',
  loading: 'Sebentar …',
  gone: 'Cara jawaban ini dibuat sudah tidak disimpan.',
  sources: 'Sumber',
  noSources: 'Hanya dari instruksinya: tidak ada dokumen yang dipakai.',
  handedOff: 'Dengan ini percakapan diserahkan kepada orang.',
  tools: 'Alat: {names}',
  tokens: '{read} token dibaca, {written} ditulis',
  costs: 'biaya {cost}',
  seconds: '{seconds} dtk',
  actions: {
    take_over: 'Ambil alih',
    pause: 'Jeda',
    hand_off: 'Minta serahkan',
    resume: 'Biarkan menjawab',
  },
};
