import type { Words } from '../../words/texts.ts';

export const events: Words['events'] = {
  title: 'Peristiwa',
  lead: 'Semua peristiwa 30 hari terakhir, berurutan.',
  filters: 'Saringan',
  anyEvent: 'Semua peristiwa',
  about: 'Tentang',
  waiting: '{count, plural, other {# peristiwa baru}}',
  emptyTitle: 'Belum ada peristiwa',
  emptyLead:
    'Setiap langkah pesan dan setiap perubahan nomor adalah peristiwa. Semuanya muncul di sini begitu terjadi. Webhook mengirimkannya ke server Anda, dan dengan kunci API Anda dapat mengikutinya:',
  noneTitle: 'Tidak ada peristiwa yang cocok',
  noneLead: 'Tidak ada peristiwa yang cocok dengan saringan ini. Yang baru dan cocok akan muncul di sini.',
  exampleName: 'Contoh: mengikuti peristiwa',
  payloadTitle: 'Dikirim ke webhook',
  payload: 'Isi',
  toMessage: 'Lihat pesan',
  cursor: 'Posisi',
  gone: 'Peristiwa ini sudah tidak ada. Peristiwa disimpan 30 hari.',
};
