import type { Words } from '../../words/texts.ts';

export const overview: Words['overview'] = {
  title: 'Ringkasan',
  firstSteps: 'Mulai',
  stepsDone: '{done, number} dari {all, number} selesai',
  steps: {
    add: 'Tambah nomor',
    pair: 'Pasangkan dengan ponsel',
    send: 'Kirim pesan uji coba',
    read: 'Lihat kapan pesan dibaca',
    key: 'Buat kunci API',
    webhook: 'Tambah webhook untuk menerima peristiwa',
  },
  attention: 'Perlu perhatian',
  moreAlerts: '{count, plural, other {Dan # lagi}}',
  today: 'Hari ini',
  monthSummary: '{sent, number} terkirim, {received, number} diterima, {failed, number} gagal',
  quota: 'Pesan bulan ini',
  ofLimit: 'dari {limit, number}',
  noLimit: 'Tanpa batas',
  resets: 'Diatur ulang pada {date}',
  all: '{count, plural, =1 {# nomor} other {Semua # nomor}}',
};
