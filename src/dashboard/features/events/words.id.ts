import type { Words } from '../../words/texts.ts';

export const events: Words['events'] = {
  title: 'Peristiwa',
  lead: 'Semua yang terjadi, menurut urutan kejadiannya, selama 30 hari.',
  filters: 'Saringan',
  event: 'Peristiwa',
  anyEvent: 'Semua peristiwa',
  number: 'Nomor',
  anyNumber: 'Semua nomor',
  clear: 'Hapus saringan',
  about: 'Tentang',
  time: 'Waktu',
  waiting: '{count, plural, other {# peristiwa baru}}',
  emptyTitle: 'Belum ada yang terjadi',
  emptyLead:
    'Tiap langkah pesan dan tiap perubahan nomor adalah peristiwa. Semuanya muncul di sini begitu terjadi; webhook membawanya ke server Anda, dan dengan kunci API baris ini mengikutinya:',
  noneTitle: 'Tidak ada peristiwa seperti itu',
  noneLead: 'Tidak ada yang cocok dengan saringan ini. Yang cocok mulai sekarang muncul di sini.',
  exampleName: 'Contoh yang mengikuti peristiwa',
  payloadTitle: 'Yang diterima webhook',
  payload: 'Isi',
  message: 'Pesan',
  toMessage: 'Ikuti pesan ini',
  cursor: 'Posisi',
  id: 'ID',
  gone: 'Peristiwa ini sudah tidak ada. Peristiwa disimpan 30 hari.',
};
