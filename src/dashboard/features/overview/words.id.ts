import type { Words } from '../../words/texts.ts';

export const overview: Words['overview'] = {
  title: 'Ringkasan',
  firstSteps: 'Langkah pertama',
  stepsDone: '{done, number} dari {all, number} selesai',
  steps: {
    add: 'Tambah nomor',
    pair: 'Pasangkan dengan telepon',
    send: 'Kirim pesan uji coba',
    read: 'Lihat pesannya dibaca',
    key: 'Buat kunci API untuk program Anda',
    webhook: 'Tambah webhook untuk yang terjadi',
  },
  attention: 'Yang membutuhkan Anda',
  acknowledge: 'Saya tahu',
  moreAlerts: '{count, plural, other {Dan # lagi}}',
  allAlerts: 'Semua peringatan',
  today: 'Hari ini',
  month: '30 hari terakhir',
  monthSummary: '{sent, number} terkirim, {received, number} diterima, {failed, number} gagal',
  quota: 'Pesan bulan ini',
  ofLimit: 'dari {limit, number}',
  noLimit: 'tanpa batas',
  resets: 'Dimulai lagi pada {date}.',
  all: '{count, plural, other {Semua # nomor}}',
};
